// The dialog about the visitor: name, blocked players, and the way out of the session.

import { listBlocks, rename, request, unblock } from '../connection/api.js';
import { openSession, tellVisitor } from '../connection/session.js';
import { openDialog } from '../ui/dialog.js';
import { announce, recall, remember, t, wordsOf } from '../ui/page.js';
import { reload } from '../ui/leaving.js';
import { plainLine } from '../ui/pasted.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { submitted } from '../ui/submit.js';

/** @import { Player } from '../protocol.js' */

/** Shows the dialog. A visitor without a session gets one. */
export async function showVisitor() {
  const dialog = openDialog(
    t('visitor.title'),
    html`<form @submit=${submit}>
        <label class="field">${t('rename.label')}
          <input name="name" required maxlength="24" autocomplete="nickname" value=${recall('name') ?? ''} />
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
  const field = /** @type {HTMLInputElement} */ (dialog.querySelector('input'));
  field.focus();
  try {
    const { player } = await openSession();
    field.value ||= player.name;
    showBlocks(/** @type {HTMLElement} */ (dialog.querySelector('.blocks')));
  } catch (error) {
    /** @type {HTMLElement} */ (dialog.querySelector('.error')).textContent = wordsOf(error);
  }

  /** @param {SubmitEvent} event */
  async function leave(event) {
    event.preventDefault();
    await submitted(/** @type {HTMLFormElement} */ (event.target), async () => {
      await request('DELETE', '/api/v1/session');
      remember('name', '');
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
      tellVisitor(player);
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
