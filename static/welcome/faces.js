// The face of each game: a small board, a summary, the usual length, the inventor, and the ways into it.

import { clocksOf } from '../lobby/pools.js';
import { pairOf } from '../lobby/rows.js';
import { amountText, lengthOf } from '../session/clock-text.js';
import { GAMES, byId, language, rulesetName, t } from '../ui/page.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { createSmallBoard } from '../board/small-board.js';

/** @import { Ruleset } from '../protocol.js' */
/** @import { State } from '../lobby/lobby-state.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */

/**
 * The position shown of a game while nobody plays it live, and its inventor.
 * @type {Record<string, { position: string, inventor: string, year: string }>}
 */
const FACES = {
  fibonacci: {
    position: '1SS3/1SCS3/8/8p/2P4pp1/3Psspp3/1PPPss1p2/P3s4/3Sc3/3Ss2/6 2 8 4/4',
    inventor: 'Thomas Naylor',
    year: '1990',
  },
  fenix: {
    position: '2S1K1SSS/3SSSSSS/s3S1CSS/ss3C1SS/sc4S1S/sssc3CS/sss1s3S/sssc5/ssss1ks2 1 11 - 0',
    inventor: 'Fred Horn',
    year: '1975',
  },
  focus: {
    position:
      '.,.,.,./.,x,x,.,oxox,./.,o,.,o,oox,.,x,./.,.,ooxox,x,xoox,.,.,./.,.,.,.,ox,.,.,./.,.,.,x,.,o,.,./xxo,xo,o,.,xo,xo/.,.,.,. 1 23 0 0',
    inventor: 'Sid Sackson',
    year: '1963',
  },
  crossfire: {
    position:
      './o,x,x,x/.,o,.,.,.,o,./o,o,.,xxox,.,oox/x,.,.,.,.,o,o/.,.,.,.,x,xxo/.,.,.,o,xox,x,ox/.,o,.,./. 1 23 0 0',
    inventor: 'Christian Freeling',
    year: '',
  },
};

/** The faces as a panel, redrawn with each state.
 * @param {(ruleset: Ruleset) => void} play
 */
export function createFaces(play) {
  const faces = GAMES.map(({ game, rulesets: [ruleset, ...variants] }) => {
    const board = createSmallBoard(ruleset);
    board.show(FACES[game].position);
    return { game, ruleset, variants, board };
  });

  /** @param {State} state */
  return function draw(state) {
    render(
      html`<h2 id="faces-title">${t('face.title')}</h2>
        <ul>${faces.map((face) => faceOf(face, state, play))}</ul>`,
      byId('faces'),
    );
  };
}

/**
 * @param {{ game: string, ruleset: Ruleset, variants: Ruleset[], board: ReturnType<typeof createSmallBoard> }} face
 * @param {State} state
 * @param {(ruleset: Ruleset) => void} play
 */
function faceOf({ game, ruleset, variants, board }, { faces, lists }, play) {
  const live = lists.live.get(faces[game] ?? '');
  board.show(live?.position ?? FACES[game].position);
  const name = t(`family.${game}`);
  /** @param {string} what */
  const named = (what) => t('face.named', { what, game: name });
  return html`<li class="face">
    ${
      live === undefined
        ? html`<div class="face-board">${board.element}</div>`
        : html`<a class="face-board" href=${`/game/${live.id}`} aria-label=${t('face.watch_live', { pair: pairOf(live), game: name })}>
            ${board.element}<span class="tag now" aria-hidden="true">${t('face.live')}</span></a>`
    }
    <h3>${name}</h3>
    <p>${t(`about.${ruleset}`)}</p>
    <small>${facts(game, ruleset)}</small>
    <div class="face-tools">
      <button class="primary" aria-label=${named(t('face.play'))} @click=${() => play(ruleset)}>${t('face.play')}</button>
      <a class="button" href=${`/learn/${ruleset}`} aria-label=${named(t('face.learn'))}>${t('face.learn')}</a>
      <a class="button" href=${`/rules/${ruleset}`} aria-label=${named(t('page.rules'))}>${t('page.rules')}</a>
      <a class="button" href=${`/example/${ruleset}`} aria-label=${named(t('face.example'))}>${t('face.example')}</a>
    </div>
    ${variants.length === 0 ? nothing : variantsOf(variants)}
  </li>`;
}

/** The length of a game with the middle one of its clocks, and its inventor.
 * @param {string} game
 * @param {Ruleset} ruleset
 */
function facts(game, ruleset) {
  const { inventor, year } = FACES[game];
  const length = lengthOf(ruleset, clocksOf(ruleset)[1]);
  return [
    ...(length === null ? [] : [t('face.length', { length: amountText(language, length.n, length.unit) })]),
    [inventor, year].filter((part) => part !== '').join(t('page.comma')),
  ].join(' · ');
}

/** @param {Ruleset[]} variants */
const variantsOf = (variants) =>
  html`<p class="variants">${t('face.variants')}${t('page.colon')}${variants.map(
    (ruleset, index) =>
      /** @type {TemplateResult} */ (
        html`${index === 0 ? nothing : t('page.comma')}<a href=${`/rules/${ruleset}`}>${rulesetName(ruleset)}</a>`
      ),
  )}</p>`;
