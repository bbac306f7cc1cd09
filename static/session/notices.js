// The notice of a session: refusals, explanations of presses, and copied texts.

import { announce, t } from '../ui/page.js';
import { copied } from './share.js';

/** @import { Ruleset, Turn } from '../protocol.js' */
/** @import { Args } from '../i18n.js' */
/** @import { Core } from './board-session.js' */

/** Texts that differ where nobody plays one side alone.
 * @type {Record<string, string>}
 */
const SHARED = { 'board.why.not_yours': 'board.why.other_side' };

/**
 * A sentence in the status: the reason for a refusal, or the meaning of a press.
 * @typedef {object} Notice
 * @property {string} text
 * @property {string | null} rule the clause behind it
 * @property {number} [turn] the turn that it speaks of
 * @property {boolean} [isOfPress] whether it explains a press
 */

/**
 * @param {Core} core
 * @param {object} options
 * @param {(ruleset: Ruleset, turn: Turn, key: string) => string | null} [options.ruleBehind] the clause behind an
 *   explanation, on pages that show it
 * @param {() => boolean} [options.isShared] whether nobody plays one side alone
 * @param {(key: string) => string | null} [options.excuse] the explanation in place of the board's, which does not know
 *   why nothing is legal just now
 */
export function createNotices({ state, update }, { ruleBehind, isShared, excuse }) {
  /** @param {string} text
   * @param {Partial<Notice>} [more]
   * @param {'polite' | 'assertive'} [manner] */
  function note(text, more = {}, manner = 'polite') {
    announce(text, manner);
    update({ notice: { text, rule: null, ...more } });
  }

  /** @param {string} key
   * @param {Args} [args] */
  const explain = (key, args) => note(t(key, args));

  /** Shows the board's explanation of a press.
   * @param {string} key
   * @param {Args} args
   */
  function explainPress(key, args) {
    const instead = excuse?.(key) ?? null;
    if (instead !== null) return note(t(instead), { isOfPress: true });
    const { source } = state;
    const rule = source && (ruleBehind?.(source.ruleset, source.turn, key) ?? null);
    const turn = typeof args.turn === 'number' ? args.turn : undefined;
    note(t(isShared?.() ? (SHARED[key] ?? key) : key, args), { rule, turn, isOfPress: true });
  }

  /** Copies a text and says so, or shows it where the browser does not let it be copied.
   * @param {string} text
   * @param {string} done
   */
  async function copy(text, done) {
    note((await copied(text)) ? t(done) : text);
  }

  /** Copies a link to an address of this site.
   * @param {string} address
   */
  const copyLink = (address) => copy(new URL(address, location.origin).href, 'share.copied');

  /** Copies the text of the position on the board. */
  async function copyPosition() {
    const { position } = state.past?.moment ?? state.source?.turn ?? { position: '' };
    await copy(position, 'replay.copied');
  }

  return { note, explain, explainPress, copy, copyLink, copyPosition };
}
