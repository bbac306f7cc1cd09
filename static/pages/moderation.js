// The page of moderators: the reports, what can be done about each, and for administrators all acts.

import { listReports, readAudit, takeAct, untilAnswered } from '../connection/api.js';
import { openSession } from '../connection/session.js';
import { actWords } from '../header/act-words.js';
import { proofPlace, sentWithProof } from '../header/proof.js';
import { beginHeader } from '../ui/header.js';
import { byId, joined, momentOf, nameOf, t, wordsOf } from '../ui/page.js';
import { playerName } from '../ui/player-name.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { Act, NewAct, Report, Session } from '../protocol.js' */

/** @typedef {'mute_24' | 'mute_168' | 'mute_720' | 'unmute' | 'hide_name' | 'close' | 'reopen' | 'dismiss' | 'dismiss_all'} Choice */

/** @type {Session | null} */
let session = null;
/** @type {Report[]} */
let reports = [];
/** The `next` of the last page; undefined before the first one.
 * @type {string | null | undefined} */
let nextReports;
/** @type {Act[]} */
let acts = [];
/** @type {string | null | undefined} */
let nextActs;
let status = '';
/** @type {string | null} */
let trouble = null;

/** @param {() => Promise<unknown>} work */
async function attempt(work) {
  trouble = null;
  try {
    await work();
  } catch (error) {
    trouble = wordsOf(error);
  }
  draw();
}

async function moreReports() {
  const page = await listReports(nextReports ?? null);
  reports = joined(reports, page.reports);
  nextReports = page.next;
}

async function moreActs() {
  const page = await readAudit(nextActs ?? null);
  acts = joined(acts, page.acts);
  nextActs = page.next;
}

/** Reads everything again, as after an act. */
async function readAgain() {
  [reports, nextReports, acts, nextActs] = [[], undefined, [], undefined];
  // So that what was unfolded is folded: another report may stand there next.
  draw();
  await moreReports();
  if (session?.role === 'admin') await moreActs();
}

/** The act of a choice.
 * @param {Choice} choice
 * @param {Report} report
 * @returns {NewAct}
 */
function actOf(choice, { id, player, name }) {
  if (choice === 'dismiss') return { kind: 'dismiss', report: id };
  if (choice === 'hide_name') return { kind: 'hide_name', player: player.id, name };
  const [, hours] = /^mute_(\d+)$/.exec(choice) ?? [];
  if (hours !== undefined) return { kind: 'mute', player: player.id, hours: Number(hours) };
  return { kind: /** @type {'unmute' | 'close' | 'reopen' | 'dismiss_all'} */ (choice), player: player.id };
}

/** @param {SubmitEvent} event
 * @param {Report} report
 */
const decide = (event, report) =>
  sentWithProof(event, {}, async ({ choice }) => {
    // So that the same words are read again.
    status = '';
    draw();
    await takeAct(actOf(/** @type {Choice} */ (choice), report));
    status = t('moderation.done', { what: t(`moderation.${choice}`) });
    await attempt(readAgain);
    byId('reports-title').focus();
  });

/** What can be done about a report.
 * @param {Report} report
 * @returns {Choice[]}
 */
function choicesFor({ player, muted_until_ms, settled_ms }) {
  const isThere = player.kind !== 'deleted';
  /** @type {[Choice, boolean][]} */
  const choices = [
    ['mute_24', isThere],
    ['mute_168', isThere],
    ['mute_720', isThere],
    ['unmute', muted_until_ms !== null],
    ['hide_name', isThere],
    ['close', player.kind !== 'guest'],
    ['reopen', !isThere],
    ['dismiss', settled_ms === null],
    ['dismiss_all', settled_ms === null],
  ];
  return choices.filter(([, isOffered]) => isOffered).map(([choice]) => choice);
}

/** @param {Report} report */
function chatOf({ kind, lines }) {
  if (kind !== 'chat') return nothing;
  if (lines.length === 0) return html`<p>${t('moderation.no_lines')}</p>`;
  return html`<div class="lines" tabindex="0" role="group" aria-label=${t('moderation.lines')}><ul>${lines.map(
    ({ at_ms, text }) => html`<li><small>${momentOf(at_ms)}</small> ${text}</li>`,
  )}</ul></div>`;
}

/** @param {Report} report */
function reportItem(report) {
  const { at_ms, by, kind, name, player, text, muted_until_ms, settled_ms } = report;
  const state =
    settled_ms === null ? t('moderation.open') : t('moderation.settled', { when: momentOf(settled_ms) });
  return html`<details class="report">
    <summary><strong translate="no">${playerName(player)}</strong> ${t(`moderation.${kind}`)} <small>${state}</small></summary>
    <div class="inside">
      <p>${t('moderation.by', { when: momentOf(at_ms), name: nameOf(by) })} ${name === nameOf(player) ? nothing : t('moderation.name_then', { name })}
        ${muted_until_ms === null ? nothing : actWords({ kind: 'muted', until_ms: muted_until_ms })}</p>
      ${text === null ? nothing : html`<blockquote>${text}</blockquote>`}
      <p><a href=${`/game/${report.game}`}>${t('moderation.game')}</a></p>
      ${chatOf(report)}
      <form @submit=${(/** @type {SubmitEvent} */ event) => decide(event, report)}>
        <fieldset>
          <legend>${t('moderation.decide')}</legend>
          ${choicesFor(report).map(
            (choice) =>
              html`<label class="choice"><input type="radio" name="choice" value=${choice} required /> <span>${t(`moderation.${choice}`)}</span></label>`,
          )}
        </fieldset>
        ${proofPlace(session === null ? '' : nameOf(session.player))}
        <p class="error" role="alert"></p>
        <button class="primary">${t('moderation.submit')}</button>
      </form>
    </div>
  </details>`;
}

/** @param {Act} act */
const actItem = (act) =>
  html`<li><strong translate="no">${playerName(act.player)}</strong> ${t('moderation.act', {
    when: momentOf(act.at_ms),
    what: actWords(act),
    by: act.by === null ? t('moderation.command_line') : nameOf(act.by),
  })}</li>`;

/** A button for the next page, if there is one.
 * @param {string | null | undefined} next
 * @param {() => Promise<void>} more
 */
const moreButton = (next, more) =>
  next === null || next === undefined
    ? nothing
    : html`<p><button @click=${() => attempt(more)}>${t('moderation.more')}</button></p>`;

function draw() {
  const isAdmin = session?.role === 'admin';
  render(
    html`<p role="status">${status}</p>
      ${trouble === null ? nothing : html`<p class="error" role="alert">${trouble}</p>`}
      ${
        nextReports === undefined
          ? nothing
          : html`<section aria-labelledby="reports-title">
              <h2 id="reports-title" tabindex="-1">${t('moderation.reports')}</h2>
              ${reports.length === 0 ? html`<p>${t('moderation.none')}</p>` : reports.map(reportItem)}
              ${moreButton(nextReports, moreReports)}
            </section>`
      }
      ${
        isAdmin && acts.length > 0
          ? html`<section aria-labelledby="audit-title">
              <h2 id="audit-title">${t('moderation.audit')}</h2>
              <ul class="acts">${acts.map(actItem)}</ul>
              ${moreButton(nextActs, moreActs)}
            </section>`
          : nothing
      }`,
    byId('moderation'),
  );
}

beginHeader();
/** Reads all for the first time. */
async function begin() {
  session = await openSession();
  await readAgain();
  trouble = null;
}

attempt(() =>
  untilAnswered(begin, (error) => {
    trouble = wordsOf(error);
    draw();
  }),
);
