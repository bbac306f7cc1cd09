// The dialog that makes a room.

import { ApiError, createRoom, findPlayer } from '../connection/api.js';
import { amountText, clockLong, lengthOf } from '../session/clock-text.js';
import { RULESETS, byId, language, nameOf, recall, remember, sideName, t } from '../ui/page.js';
import { troubleOf } from '../ui/trouble.js';
import { openDialog } from '../ui/dialog.js';
import { leaveFor } from '../ui/leaving.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import {
  BONUSES,
  CLOCKS,
  DRAFTS,
  PACES,
  SEATS,
  WATCHINGS,
  choicesFrom,
  choicesOf,
  choose,
  clockOf,
  roomOf,
  textOf,
} from './room-choices.js';
import { rulesetOptions } from './pairing.js';
import { submitted } from '../ui/submit.js';

/** @import { NewRoom, Player, Ruleset, SeatChoice, Visibility } from '../protocol.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */
/** @import { Choices, Faults } from './room-choices.js' */

/** @typedef {{ value: string, title: string, hint?: string }} Option */

/**
 * @typedef {object} Form
 * @property {string} title
 * @property {Choices} choices those to begin with
 * @property {Player | 'asked' | null} opponent whom the room challenges: a player, one who is asked for, or nobody
 * @property {string} submit the words of its button
 * @property {string} [answers] the id of the challenge that the room answers
 */

/** Opens the dialog of a room that anybody can join, or a friend.
 * @param {Ruleset | null} ruleset the one to begin with, or null for that of last time
 * @param {Visibility} visibility
 */
export function openCreate(ruleset, visibility) {
  const before = choicesFrom(recall('room'), RULESETS);
  openForm({
    title: t(visibility === 'link' ? 'lobby.play_friend' : 'lobby.create'),
    choices: { ...before, visibility, ruleset: ruleset ?? before.ruleset },
    opponent: visibility === 'link' ? 'asked' : null,
    submit: t('create.submit'),
  });
}

/** Opens the dialog of a challenge to a player.
 * @param {Player} opponent
 * @param {Parameters<typeof choicesOf>[0]} room the one to begin with
 */
export const openChallenge = (opponent, room) =>
  openForm({
    title: t('create.challenge', { name: nameOf(opponent) }),
    choices: choicesOf(room),
    opponent,
    submit: t('create.send'),
  });

/** Opens the dialog by which the answer to a challenge is one by other terms.
 * @param {string} id of the challenge
 * @param {Player} opponent who made it
 * @param {Parameters<typeof choicesOf>[0]} room the one that it offers, with the seat that is left
 */
export const openCounter = (id, opponent, room) =>
  openForm({
    title: t('create.counter', { name: nameOf(opponent) }),
    choices: choicesOf(room),
    opponent,
    submit: t('create.send_counter'),
    answers: id,
  });

/** @param {Form} form */
function openForm({ title, choices: first, opponent, submit: words, answers }) {
  let choices = first;
  /** Faults are shown from the first try on, and then as long as there are any. */
  let isTried = false;
  /** @type {TemplateResult | null} */
  let startTrouble = null;
  /** Whether the rare options are unfolded. They are not folded again under the hands of who changes them. */
  let isUnfolded = false;
  if (openDialog(title, html`<div id="create"></div>`) !== null) {
    draw();
    byId('create').querySelector('select')?.focus();
  }

  function draw() {
    const read = isTried ? roomOf(choices) : null;
    const faults = read !== null && 'faults' in read ? read.faults : {};
    isUnfolded ||= isUnusual(choices) || faults.delay !== undefined || startTrouble !== null;
    render(
      html`<form class="create" novalidate @submit=${submit} @input=${change}>
        ${opponent === 'asked' ? opponentPart() : nothing}
        ${gamePart(choices)}
        ${clockPart(choices, faults)}
        ${morePart(choices, faults, startTrouble, isUnfolded)}
        <div class="create-foot">
          <p class="error" role="alert"></p>
          <button class="primary big">${words}</button>
        </div>
      </form>`,
      byId('create'),
    );
  }

  /** @param {Event} event */
  function change(event) {
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    choices = choose(Object.fromEntries(new FormData(form)), choices, RULESETS);
    startTrouble = null;
    draw();
  }

  /** @param {SubmitEvent} event */
  async function submit(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    isTried = true;
    draw();
    const read = roomOf(choices);
    if ('faults' in read) return showFault(form);
    remember('room', textOf(choices));
    const name = String(new FormData(form).get('opponent') ?? '').trim();
    await submitted(form, () => make(read.room, name));
    if (startTrouble !== null) showFault(form);
  }

  /** @param {NewRoom} room
   * @param {string} name that of the account that the room challenges, where it was asked for */
  async function make(room, name) {
    try {
      const asked = name === '' ? null : await findPlayer(name);
      const challenged = opponent === 'asked' ? asked : opponent;
      const game = await createRoom(challenged === null ? room : { ...room, for: challenged.id, answers });
      await leaveFor(`/game/${game.id}`);
    } catch (error) {
      const isOfStart = error instanceof ApiError && ['invalid_start', 'costly_start'].includes(error.code);
      if (!isOfStart) throw error;
      startTrouble = troubleOf(error);
      draw();
    }
  }
}

/** Focuses the first invalid field, and brings it into view with its description, which names the fault.
 * @param {HTMLFormElement} form
 */
function showFault(form) {
  const input = /** @type {HTMLElement | null} */ (form.querySelector('[aria-invalid]'));
  input?.focus({ preventScroll: true });
  input?.closest('.field')?.scrollIntoView({ block: 'center' });
}

const opponentPart = () =>
  html`<div class="field">
    <label for="create-opponent">${t('create.opponent')}</label>
    <input id="create-opponent" name="opponent" maxlength="24" autocomplete="off" autocapitalize="off" spellcheck="false"
      aria-describedby="opponent-hint" />
    <small id="opponent-hint">${t('create.opponent_hint')}</small>
  </div>`;

/** @param {Choices} choices */
const gamePart = ({ ruleset, seat }) =>
  html`<label class="field">${t('create.ruleset')}
      <select name="ruleset" aria-describedby="ruleset-hint">${rulesetOptions(ruleset)}</select>
    </label>
    <small id="ruleset-hint">${t(`about.${ruleset}`)}</small>
    ${seatField(ruleset, seat)}`;

/** @param {Ruleset} ruleset
 * @param {SeatChoice} seat */
export function seatField(ruleset, seat) {
  const seats = SEATS.map((value) => ({
    value,
    title: value === 'random' ? t('create.seat_random') : sideName(ruleset, value),
    hint: t(`create.seat_${value}_hint`),
  }));
  return radios('seat', t('create.seat'), seats, seat);
}

/** @param {Choices} choices
 * @param {Faults} faults */
function clockPart(choices, faults) {
  const clocks = CLOCKS.map((value) => ({
    value,
    title: t(`create.clock_${value}`),
    hint: t(`create.clock_${value}_hint`),
  }));
  const paces = PACES.map((value) => ({ value, title: t(`create.pace_${value}`) }));
  const kinds = BONUSES.map((value) => ({ value, title: t(`create.kind_${value}`) }));
  return html`${radios('clock', t('create.clock'), clocks, choices.clock)}
    <div class="fields" ?hidden=${choices.clock !== 'real_time'}>
      ${numberField('base', t('create.base'), choices.base, [0, 180, 'any'], faults.base)}
      ${numberField('bonus', t('create.bonus'), choices.bonus, [0, 180, 1], faults.bonus)}
      ${selectField('kind', t('create.kind'), kinds, choices.kind)}
    </div>
    <div class="fields" ?hidden=${choices.clock !== 'correspondence'}>
      ${selectField('pace', t('create.pace'), paces, choices.pace)}
      ${
        choices.pace === 'bank'
          ? html`${numberField('bank', t('create.bank'), choices.bank, [1, 30, 1], faults.bank)}
            ${numberField('hours', t('create.hours'), choices.hours, [0, 168, 1], faults.hours)}`
          : numberField('days', t('create.days'), choices.days, [1, 14, 1], faults.days)
      }
    </div>
    <p class="estimate" role="status">${clockWords(choices)}</p>`;
}

/** The meaning of the clock, and the length of a game with it.
 * @param {Choices} choices
 */
function clockWords(choices) {
  const read = clockOf(choices);
  if ('faults' in read) return '';
  const length = lengthOf(choices.ruleset, read.clock);
  const rule = `${clockLong(t, language, read.clock)}.`;
  if (length === null) return rule;
  const words = t('create.length', { length: amountText(language, length.n, length.unit) });
  return `${rule} ${words}`;
}

/**
 * @param {Choices} choices
 * @param {Faults} faults
 * @param {TemplateResult | null} startTrouble why the server did not take the start position
 * @param {boolean} isUnfolded
 */
function morePart(choices, faults, startTrouble, isUnfolded) {
  const watchings = WATCHINGS.map((value) => ({ value, title: t(`create.watching_${value}`) }));
  const drafts = DRAFTS.map((value) => ({ value, title: t(`create.drafts_${value}`) }));
  return html`<details class="extras" ?open=${isUnfolded}>
    <summary>${t('create.more')}</summary>
    <div class="more-fields">
      ${selectField('watching', t('create.watching'), watchings, choices.watching)}
      ${selectField('drafts', t('create.drafts'), drafts, choices.drafts)}
      <div ?hidden=${choices.watching === 'nobody'}>
        ${numberField('delay', t('create.delay'), choices.delay, [0, 20, 1], faults.delay)}
      </div>
      <div class="field">
        <label for="create-start">${t('create.start_label')}</label>
        <input id="create-start" name="start" autocomplete="off" autocapitalize="off" spellcheck="false" value=${choices.start}
          aria-invalid=${startTrouble === null ? nothing : 'true'} aria-describedby="fault-start start-hint" />
        <span class="error" id="fault-start">${startTrouble}</span>
        <small id="start-hint">${t('create.start_hint')}</small>
      </div>
    </div>
  </details>`;
}

/** True if one of the folded options is not at its default.
 * @param {Choices} choices
 */
const isUnusual = ({ watching, drafts, delay, start }) =>
  watching !== 'everybody' || drafts !== 'shown' || delay !== '0' || start !== '';

/**
 * @param {keyof Choices} name
 * @param {string} legend
 * @param {readonly Option[]} options
 * @param {string} chosen
 */
const radios = (name, legend, options, chosen) =>
  html`<fieldset><legend>${legend}</legend>
    <div class="choices">
      ${options.map(
        ({ value, title, hint }) => html`<label class="choice">
          <input type="radio" name=${name} value=${value} ?checked=${value === chosen} />
          <span><strong>${title}</strong> ${hint === undefined ? nothing : html`<small>${hint}</small>`}</span>
        </label>`,
      )}
    </div>
  </fieldset>`;

/**
 * @param {keyof Faults} name
 * @param {string} label
 * @param {string} value
 * @param {[number, number, number | 'any']} range least, most, step
 * @param {Faults[keyof Faults]} fault
 */
const numberField = (name, label, value, [least, most, step], fault) =>
  html`<div class="field">
    <label for=${`create-${name}`}>${label}</label>
    <input type="number" inputmode="decimal" id=${`create-${name}`} name=${name} value=${value} min=${least} max=${most} step=${step}
      aria-invalid=${fault === undefined ? nothing : 'true'} aria-describedby=${`fault-${name}`} />
    <span class="error" id=${`fault-${name}`}>${fault === undefined ? nothing : t(`create.fault_${fault}`)}</span>
  </div>`;

/**
 * @param {keyof Choices} name
 * @param {string} label
 * @param {readonly Option[]} options
 * @param {string} chosen
 */
export const selectField = (name, label, options, chosen) =>
  html`<label class="field">${label}
    <select name=${name}>
      ${options.map(({ value, title }) => html`<option value=${value} ?selected=${value === chosen}>${title}</option>`)}
    </select>
  </label>`;
