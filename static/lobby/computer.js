// The dialog that begins a game against the computer: the game, the level, the side and the clock.

import { isSlow } from '../session/clock.js';
import { clockLong } from '../session/clock-text.js';
import { keepLevel, keptLevel, levelOptions } from '../ui/bots.js';
import { openDialog } from '../ui/dialog.js';
import { RULESETS, byId, language, recall, remember, t } from '../ui/page.js';
import { submitted } from '../ui/submit.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { seatField, selectField } from './create.js';
import { rulesetOptions } from './pairing.js';
import { clocksOf } from './pools.js';
import { SEATS } from './room-choices.js';

/** @import { ClockRule, Ruleset } from '../protocol.js' */
/** @import { BotWish } from './bot-game.js' */

/** The clocks of games against the computer: none, or that of a game at one sitting.
 * @param {Ruleset} ruleset
 * @returns {ClockRule[]}
 */
const clocks = (ruleset) => [{ kind: 'none' }, ...clocksOf(ruleset).filter((clock) => !isSlow(clock))];

/** @param {ClockRule} clock */
const clockName = (clock) => (clock.kind === 'none' ? t('create.clock_none') : clockLong(t, language, clock));

/**
 * @param {Ruleset} first the ruleset to begin with
 * @param {(wish: BotWish) => Promise<void>} play
 */
export function openComputer(first, play) {
  let ruleset = first;
  let level = keptLevel();
  let seat = SEATS.find((name) => name === recall('bot side')) ?? 'first';
  let clock = recall('bot clock') ?? '0';
  if (openDialog(t('bot.play'), html`<div id="computer"></div>`) !== null) {
    draw();
    byId('computer').querySelector('select')?.focus();
  }

  function draw() {
    const options = clocks(ruleset).map((one, index) => ({ value: String(index), title: clockName(one) }));
    render(
      html`<form class="create" @submit=${submit} @input=${change}>
        <label class="field">${t('create.ruleset')}<select name="ruleset">${rulesetOptions(ruleset)}</select></label>
        <label class="field">${t('bot.level')}
          <select name="level" aria-describedby="level-hint">${levelOptions(level)}</select>
        </label>
        <small id="level-hint">${t(`bot.about_${level}`)} ${level > 1 ? t('bot.ladder') : nothing}</small>
        ${seatField(ruleset, seat)}
        ${selectField('clock', t('create.clock'), options, clock)}
        <div class="create-foot">
          <p class="error" role="alert"></p>
          <button class="primary big">${t('bot.start')}</button>
        </div>
      </form>`,
      byId('computer'),
    );
  }

  /** @param {Event} event */
  function change({ currentTarget }) {
    const given = Object.fromEntries(new FormData(/** @type {HTMLFormElement} */ (currentTarget)));
    ruleset = RULESETS.find((name) => name === given.ruleset) ?? ruleset;
    seat = SEATS.find((name) => name === given.seat) ?? seat;
    level = Number(given.level);
    clock = String(given.clock);
    draw();
  }

  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault();
    keepLevel(level);
    remember('bot side', seat);
    remember('bot clock', clock);
    const wish = { ruleset, level, seat, clock: clocks(ruleset)[Number(clock)] };
    submitted(/** @type {HTMLFormElement} */ (event.target), () => play(wish));
  }
}
