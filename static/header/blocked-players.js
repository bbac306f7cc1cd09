// The players whom the visitor has blocked.

import { listBlocks, unblock } from '../connection/api.js';
import { announce, nameOf, wordsOf } from '../ui/page.js';
import { playerName } from '../ui/player-name.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { say } from './visitor-words.js';

/** @import { Player } from '../protocol.js' */

/** Lists the players who are blocked, or says nothing if there are none.
 * @param {HTMLElement} element */
export async function showBlocks(element) {
  /** @type {Player[] | null} */
  let players = null;
  /** @type {string | null} */
  let trouble = null;
  /** Whether the last of them may have been freed here: the focus is on the list. */
  let hasFreed = false;
  await attempt(async () => {
    players = (await listBlocks()).players;
  });

  /** @param {() => Promise<void>} work */
  async function attempt(work) {
    trouble = null;
    try {
      await work();
    } catch (error) {
      trouble = wordsOf(error);
    }
    draw();
  }

  /** @param {Player} player */
  const free = (player) =>
    attempt(async () => {
      await unblock(player.id);
      hasFreed = true;
      players = (players ?? []).filter((other) => other.id !== player.id);
      announce(say('blocks.unblocked', { name: nameOf(player) }));
      element.focus();
    });

  function draw() {
    const rows = (players ?? []).map(
      (player) => html`<li><span>${playerName(player)}</span>
        <button aria-label=${say('blocks.unblock_named', { name: nameOf(player) })} @click=${() => free(player)}>${say('blocks.unblock')}</button></li>`,
    );
    const isFreed = players?.length === 0 && hasFreed;
    render(
      rows.length === 0 && trouble === null && !isFreed
        ? nothing
        : html`<h3 id="blocks-title">${say('blocks.title')}</h3>
            <p>${isFreed ? say('blocks.none') : say('blocks.lead')}</p>
            ${rows.length === 0 ? nothing : html`<ul>${rows}</ul>`}
            <p class="error" role="alert">${trouble}</p>`,
      element,
    );
  }
}
