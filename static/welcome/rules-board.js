// The board at the top of a rules page, on which the reader plays both sides. It is loaded when the reader asks for it.

import { createBoard } from '../board/board.js';
import { turnsIn } from '../board/figure.js';
import { engineOfPage } from '../engine/engine.js';
import { earlyEnd } from '../engine/turn-draft.js';
import { openMatch } from '../local/match.js';
import { countWords, reserveTray } from '../panels/turns-and-players.js';
import { confirmButton, noticeLine, reservePress, turnButtons } from '../panels/turn-buttons.js';
import { createSession, drawnUp } from '../session/board-session.js';
import { ruleBehind } from '../session/clauses.js';
import { endingOf } from '../session/ending.js';
import { otherSide } from '../session/game-model.js';
import { matchSource } from '../session/match-source.js';
import { nextWords } from '../session/next-words.js';
import { sessionStore } from '../session/session-state.js';
import { sayLeft, sayUndone } from '../session/turn-speech.js';
import { announce, resultWords, sideName, t } from '../ui/page.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { Ruleset } from '../protocol.js' */
/** @import { Game } from '../session/game-model.js' */

/** Puts the board in the place of the picture, with the engine behind it.
 * @param {HTMLElement} figure
 */
export async function openRulesBoard(figure) {
  const ruleset = /** @type {Ruleset} */ (figure.dataset.ruleset);
  const players = { first: null, second: null };
  const turns = turnsIn(figure.dataset);
  const game = { ruleset, players, date: '', turns, cards: [], resigned: null };
  const match = openMatch(await engineOfPage(), game);
  const { local } = match;

  const place = document.createElement('div');
  const words = /** @type {HTMLElement} */ (figure.lastElementChild);
  figure.firstElementChild?.replaceWith(place);
  words.replaceChildren();

  const source = matchSource(ruleset, local, {
    confirm() {
      match.play();
      session.update({ notice: null, making: false }, []);
      announce(heading());
    },
  });
  const store = sessionStore({ source });
  const session = createSession({
    store,
    place,
    create: createBoard,
    contents() {
      const { turnDraft } = local;
      const shown = match.shown();
      const lastSteps = shown.turns.at(-1)?.steps ?? [];
      const decisive = endingOf(/** @type {Game} */ (shown))?.decisive ?? [];
      const more = { mySide: turnDraft.turn.side, lastSteps, decisive };
      return { bottom: 'second', shown: drawnUp(turnDraft, more, store.state.making) };
    },
    isAtOnce: () => true,
    isShared: () => true,
    ruleBehind,
    taken: sayLeft,
    takenBack: sayUndone,
    back() {
      if (!mayTakeBack()) return;
      match.takeBack();
      session.show();
    },
  });

  /** Whether the reader has played a turn. */
  const mayTakeBack = () => match.shown().turns.length > turns.length;

  const heading = () => {
    if (match.outcome === null)
      return t('status.side_to_move', { side: sideName(ruleset, local.match.turn.side) });
    const { title, reason } = resultWords(ruleset, match.outcome, null, null);
    return `${title}. ${reason}`;
  };

  function panel() {
    const { state } = store;
    const { held, notice } = state;
    const { turn, steps } = local.turnDraft;
    const { reserves, side } = turn;
    const canUndo = mayTakeBack() || steps.length > 0 || held.jumps > 0;
    const canRestart = steps.length > 0;
    const count = turn.allowance === null ? '' : `(${countWords(turn.allowance)})`;
    const confirm =
      earlyEnd(local.turnDraft) === undefined ? nothing : confirmButton(state, session.confirm, true);
    return html`<p><strong>${heading()}</strong></p>
      ${match.outcome === null ? html`<p>${nextWords(local.turnDraft, state)} ${count}</p>` : nothing}
      ${noticeLine(ruleset, notice)}
      <p class="actions">${turnButtons(state, session, { canUndo, canRestart, confirm })}</p>
      ${
        reserves === null
          ? nothing
          : html`<p>${reserveTray(ruleset, side, reserves, reservePress(state, side, session))}
            ${reserveTray(ruleset, otherSide(side), reserves)}</p>`
      }`;
  }

  store.subscribe(Object.values, () => render(panel(), words));
  session.show();
  /** @type {HTMLElement | null} */ (place.querySelector('[tabindex="0"]'))?.focus();
}
