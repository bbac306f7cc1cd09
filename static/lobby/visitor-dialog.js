// The dialog about the visitor: name, blocked players, and leaving this device.

import { listBlocks, rename, request, unblock } from '../connection/api.js';
import { announce, t, wordsOf } from '../ui/page.js';
import { openDialog } from '../ui/dialog.js';
import { reload } from '../ui/leaving.js';
import { plainLine } from '../ui/pasted.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { submitted } from '../ui/submit.js';

/** @import { Player } from '../protocol.js' */

/**
 * @param {Player | null} me
 * @param {(me: Player) => void} onRenamed
 */
export function openYou(me, onRenamed) {
  const dialog = openDialog(
    t('lobby.rename'),
    html`<form @submit=${submit}>
        <label class="field">${t('rename.label')}
          <input name="name" required maxlength="24" autocomplete="nickname" value=${me?.name ?? ''} />
        </label>
        <p class="error" role="alert"></p>
        <button class="primary">${t('rename.submit')}</button>
      </form>
      <section class="blocks" aria-labelledby="blocks-title" tabindex="-1"></section>
      <details class="leave">
        <summary>${t('leave.title')}</summary>
        <form @submit=${leave}>
          <p>${t('leave.lead')}</p>
          <p class="error" role="alert"></p>
          <button>${t('leave.submit')}</button>
        </form>
      </details>`,
  );
  if (dialog === null) return;
  dialog.querySelector('input')?.focus();
  showBlocks(/** @type {HTMLElement} */ (dialog.querySelector('.blocks')));

  /** @param {SubmitEvent} event */
  async function leave(event) {
    event.preventDefault();
    await submitted(/** @type {HTMLFormElement} */ (event.target), async () => {
      await request('DELETE', '/api/v1/session');
      await reload();
    });
  }

  /** @param {SubmitEvent} event */
  async function submit(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const name = plainLine(String(new FormData(form).get('name')));
    await submitted(form, async () => {
      const { player } = await rename({ name });
      dialog?.close();
      announce(t('rename.done', { name: player.name }));
      onRenamed(player);
    });
  }
}

/** @param {HTMLElement} element */
async function showBlocks(element) {
  /** @type {Player[] | null} */
  let players = null;
  /** @type {string | null} */
  let trouble = null;
  draw();
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
  const free = ({ id, name }) =>
    attempt(async () => {
      await unblock(id);
      players = (players ?? []).filter((other) => other.id !== id);
      announce(t('blocks.unblocked', { name }));
      element.focus();
    });

  function draw() {
    const rows = (players ?? []).map(
      (player) => html`<li><bdi>${player.name}</bdi>
        <button aria-label=${t('blocks.unblock_named', { name: player.name })} @click=${() => free(player)}>${t('blocks.unblock')}</button></li>`,
    );
    render(
      html`<h3 id="blocks-title">${t('blocks.title')}</h3>
        <p>${players?.length === 0 ? t('blocks.none') : t('blocks.lead')}</p>
        ${rows.length === 0 ? nothing : html`<ul>${rows}</ul>`}
        <p class="error" role="alert">${trouble}</p>`,
      element,
    );
  }
}
