// The cards of a finished game, recomputed in the browser from the seed that was published with its end.

import { getGame, untilAnswered } from '../connection/api.js';
import { gameIdIn } from '../connection/links.js';
import { cardFace } from '../panels/turns-and-players.js';
import { checkShuffles, claimsOf } from '../session/shuffle-proof.js';
import { beginHeader } from '../ui/header.js';
import { announce, byId, disc, icon, rulesetName, sideName, t, wordsOf } from '../ui/page.js';
import { withNames } from '../ui/player-name.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { Ruleset } from '../protocol.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */
/** @import { Checked } from '../session/shuffle-proof.js' */

/** `unknown` where the address names no game: the server answers that there is none. */
const id = gameIdIn(location.pathname) ?? 'unknown';

/** @param {TemplateResult} content */
const show = (content) => render(content, byId('shuffles'));

/** @param {string} key */
function say(key) {
  show(html`<p class="notice">${t(key)}</p>`);
  announce(t(key));
}

/** @param {string} words */
function showTrouble(words) {
  show(html`<p class="notice">${words}</p>`);
  announce(words, 'assertive');
}

/**
 * @param {Ruleset} ruleset
 * @param {string} seed
 * @param {string} seedHash
 * @param {Awaited<ReturnType<typeof checkShuffles>>} result
 */
function showResult(ruleset, seed, seedHash, { hash, isPromised, cards, fits }) {
  const verdict = t(fits ? 'shuffles.fits' : 'shuffles.fails');
  const wrong = cards.filter(({ shown, computed }) => shown !== computed).length;
  show(html`<div class=${fits ? 'verdict' : 'verdict bad'}>
      <h2>${verdict}</h2>
      <p>${isPromised ? t('shuffles.promised') : t('shuffles.not_promised')}</p>
      <p>${wrong === 0 ? t('shuffles.all_cards', { n: cards.length }) : t('shuffles.wrong_cards', { n: wrong })}</p>
    </div>
    <dl class="proof">
      <dt>${t('shuffles.seed')}</dt>
      <dd><code>${seed}</code></dd>
      <dt>${t('shuffles.hash_told')}</dt>
      <dd><code>${seedHash}</code></dd>
      <dt>${t('shuffles.hash_computed')}</dt>
      <dd><code>${hash}</code></dd>
    </dl>
    <table>
      <caption>${t('shuffles.table')}</caption>
      <thead>
        <tr>
          <th scope="col">${t('shuffles.turn')}</th>
          <th scope="col">${t('shuffles.side')}</th>
          <th scope="col">${t('shuffles.shown')}</th>
          <th scope="col">${t('shuffles.computed')}</th>
          <th scope="col">${t('shuffles.same')}</th>
        </tr>
      </thead>
      <tbody>
        ${cards.map((card) => row(ruleset, card))}
      </tbody>
    </table>`);
  announce(verdict);
}

/** @param {Ruleset} ruleset
 * @param {Checked} card */
const row = (ruleset, { turn, side, shown, computed }) =>
  html`<tr class=${shown === computed ? '' : 'bad'}>
    <td>${turn}</td>
    <td>${disc(ruleset, side)} ${sideName(ruleset, side)}</td>
    <td>${cardFace(shown)}</td>
    <td>${cardFace(computed)}</td>
    <td>${icon(shown === computed ? 'check' : 'close')}<span class="sr">${t(shown === computed ? 'shuffles.yes' : 'shuffles.no')}</span></td>
  </tr>`;

async function check() {
  const game = await untilAnswered(
    () => getGame(id),
    (error) => showTrouble(wordsOf(error)),
  );
  const { ruleset, seats } = game.summary;
  render(
    html`${rulesetName(ruleset)}${seats === null ? nothing : html`${t('page.colon')}${withNames('game.pair', seats)}`} ·
      <a href=${`/replay/${id}`}>${t('game.replay')}</a> ·
      <a href=${`/rules/${ruleset}#1.18`}>${t('game.rule', { rule: '1.18' })}</a>`,
    byId('game'),
  );
  const claims = claimsOf(game);
  if (claims === null) return say('shuffles.no_cards');
  if (claims.seed === null) return say('shuffles.not_over');
  // Browsers have it only on pages that came by HTTPS or from the machine itself.
  const { subtle } = crypto;
  if (subtle === undefined) return say('shuffles.no_crypto');
  const { seed, seedHash, shown } = claims;
  const result = await checkShuffles((bytes) => subtle.digest('SHA-256', bytes), seed, seedHash, shown);
  showResult(ruleset, seed, seedHash, result);
}

beginHeader();
try {
  await check();
} catch (error) {
  showTrouble(wordsOf(error));
}
