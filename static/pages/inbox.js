// The inbox: what happened to the visitor's slow games, challenges, reports and account, the newest first.

import { readInbox, seeNotices, untilAnswered } from '../connection/api.js';
import { clockMark, cover, facts } from '../lobby/rows.js';
import { beginHeader, openFromHeader } from '../ui/header.js';
import { byId, joined, momentOf, recall, resultWords, rulesetName, t, wordsOf } from '../ui/page.js';
import { withNames } from '../ui/player-name.js';
import { keepUnseen } from '../ui/waiting-games.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { repeat } from '../vendor/lit-html@3.3.3/directives/repeat.js';

/** @import { InboxNotice } from '../protocol.js' */

/** @typedef {Extract<InboxNotice, { kind: 'game_over' }>} GameOver */

/** The notices that were read; null before the first page.
 * @type {InboxNotice[] | null} */
let notices = null;
/** The `next` of the last page.
 * @type {string | null} */
let next = null;
/** @type {string | null} */
let trouble = null;

/** The result of a game and the reason.
 * @param {GameOver} notice
 */
function resultText({ ruleset, opponent, result, reason }) {
  if (result === 'aborted' || reason === null) return t('inbox.aborted');
  const winner = { won: /** @type {const} */ ('first'), lost: /** @type {const} */ ('second'), draw: null }[
    result
  ];
  // The reader is the first side here: the words depend on who won alone.
  const words = resultWords(ruleset, { winner, reason }, { first: opponent, second: opponent }, 'first');
  return `${words.title}. ${words.reason}`;
}

/** What a notice says, and what stands below it.
 * @param {InboxNotice} notice
 * @returns {{ title: unknown, more: unknown, about: Parameters<typeof facts>[0] }}
 */
function wordsFor(notice) {
  switch (notice.kind) {
    case 'game_over':
      return {
        title: withNames('inbox.game_over', { name: notice.opponent }),
        more: resultText(notice),
        about: [rulesetName(notice.ruleset)],
      };
    case 'challenged':
    case 'challenge_accepted':
    case 'challenge_declined':
    case 'challenge_countered':
    case 'seek_accepted':
      return {
        title: withNames(`inbox.${notice.kind}`, { name: notice.opponent }),
        more: nothing,
        about: [rulesetName(notice.ruleset), notice.clock !== null && clockMark(notice.clock)],
      };
    case 'vacation_used':
      return {
        title: t('inbox.vacation_used'),
        more: t('inbox.vacation_why', { when: momentOf(notice.until_ms) }),
        about: [],
      };
    case 'security':
      return { title: t(`inbox.${notice.what}`), more: t('inbox.not_you'), about: [] };
    case 'report_answered':
      return { title: t('inbox.report_answered'), more: t('inbox.report_thanks'), about: [] };
  }
}

/** @param {InboxNotice} notice */
function row(notice) {
  const { title, more, about } = wordsFor(notice);
  const content = html`<strong>${title}</strong>
    ${more === nothing ? nothing : html`<span>${more}</span>`}
    ${facts([...about, momentOf(notice.at_ms)])}`;
  const hasGame = 'game' in notice && notice.game !== null;
  const isOfSettings = notice.kind === 'vacation_used' || notice.kind === 'security';
  return html`<li class=${notice.seen ? 'row' : 'row new'}>
    ${hasGame ? cover(`/game/${notice.game}`, false, content) : html`<div class="what">${content}</div>`}
    ${notice.seen ? nothing : html`<span class="tag now">${t('inbox.new')}</span>`}
    ${isOfSettings ? html`<button @click=${() => openFromHeader('visitor')}>${t('inbox.settings')}</button>` : nothing}
  </li>`;
}

/** @param {InboxNotice[]} known */
const list = (known) =>
  known.length === 0
    ? html`<div class="empty"><p>${t('inbox.none')}</p></div>`
    : html`<ul class="rows">${repeat(known, ({ id }) => id, row)}</ul>`;

function draw() {
  render(
    html`${trouble === null ? nothing : html`<p class="error" role="alert">${trouble}</p>`}
      ${notices === null ? nothing : list(notices)}
      ${next === null ? nothing : html`<p class="panel-foot"><button @click=${readMore}>${t('inbox.more')}</button></p>`}`,
    byId('notices'),
  );
}

/** @param {unknown} error */
function showTrouble(error) {
  trouble = wordsOf(error);
  draw();
}

/** Marks all as seen, once the visitor looks at the page. They look new as long as the page shows them.
 * @param {number} unseen
 */
async function see(unseen) {
  const newest = notices?.at(0);
  if (document.hidden || newest === undefined) return keepUnseen(unseen);
  if (unseen > 0) await seeNotices(newest.id);
  keepUnseen(0);
}

/** Reads the first page, and keeps what is known of the others. */
async function read() {
  const page = await readInbox(null);
  const known = new Map(notices?.map((notice) => [notice.id, notice]));
  const isFirst = notices === null;
  const others = (notices ?? []).filter(({ id }) => !page.notices.some((notice) => notice.id === id));
  notices = [...page.notices.map((notice) => known.get(notice.id) ?? notice), ...others];
  if (isFirst) next = page.next;
  trouble = null;
  draw();
  await see(page.unseen);
}

/** Reads the page after the last one. The focus stays on the button, or goes to the list if there is no more. */
async function readMore() {
  try {
    const page = await readInbox(next);
    notices = joined(notices ?? [], page.notices);
    next = page.next;
    trouble = null;
    draw();
    if (next === null) byId('notices').focus();
  } catch (error) {
    showTrouble(error);
  }
}

beginHeader();
// Nothing was told to a visitor who was never here, and looking makes no guest of them.
if (recall('name')) {
  untilAnswered(read, showTrouble).catch(showTrouble);
  document.addEventListener('visibilitychange', () => document.hidden || read().catch(console.info));
} else {
  notices = [];
  draw();
}
