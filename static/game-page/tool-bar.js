// The tools of a game: its look and sound, the record, offers, and leaving.

import { isOneTable, otherSide } from '../session/game-model.js';
import { openReport } from '../ui/header.js';
import { icon, picture, sideName, t } from '../ui/page.js';
import { html, nothing, svg } from '../vendor/lit-html@3.3.3/lit-html.js';
import { askingTool, gameTools, tool } from '../panels/board-tools.js';
import { openChallenge } from './challenging.js';
import { isPerson, offersOf } from './offers.js';

/** @import { OfferKind, Side } from '../protocol.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */
/** @import { GameActions } from './actions.js' */
/** @import { Game } from '../session/game-model.js' */
/** @import { State } from './game-state.js' */
/** @import { GameSidebar } from './sidebar.js' */

const PICTURES = {
  link: svg`<path d="M10 14a4 4 0 0 0 5.700 0l3-3a4 4 0 0 0-5.700-5.700l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3a4 4 0 0 0 5.700 5.700l1-1"/>`,
  report: svg`<path d="M12 4v9M12 17.5v.1" stroke-width="2.4"/><circle cx="12" cy="12" r="9.5"/>`,
  challenge: svg`<path d="m4 4 13 13M14 20l6-6M20 4 7 17M10 20l-6-6"/>`,
  draw: svg`<path d="M4 9.5h16M4 14.5h16"/>`,
  takeback: svg`<path d="M4 4.500h16v12h-9l-4.500 4v-4H4ZM10.500 7.500l-2.500 2.500 2.500 2.500M8 10h8"/>`,
};

/** The pictures of offers, which are named by `offer.make_draw`, `offer.make_takeback` and so on.
 * @type {Record<OfferKind, TemplateResult>} */
const OFFERS = {
  draw: picture(PICTURES.draw),
  takeback: picture(PICTURES.takeback),
  rematch: icon('restart'),
};

/**
 * @param {GameSidebar} sidebar
 * @param {State} state
 * @param {GameActions} tools
 * @param {TemplateResult | typeof nothing} [notices] the button for notifications
 */
export function toolBar({ game, mine }, state, tools, notices = nothing) {
  const { open, leaving } = offersOf(game, mine);
  const isTable = isOneTable(game);
  const { sendOffer, offerDraw, ask, copyMove, copyPosition } = tools;
  const offers = game.present.status === 'playing' ? open : [];
  return gameTools(state, tools, {
    ruleset: game.ruleset,
    leaving,
    resigns: isTable && leaving === 'resign' ? sideName(game.ruleset, game.present.turn.side) : null,
    leave: () => leaving !== null && tools.leave(leaving),
    draw: offers.includes('draw') ? { words: isTable ? 'table.draw' : 'offer.draw', agree: offerDraw } : null,
    offers: offers.map((what) => {
      const key = isTable ? `table.${what}` : `offer.make_${what}`;
      return what === 'draw'
        ? askingTool(key, OFFERS.draw, 'draw', ask)
        : tool(key, OFFERS[what], () => sendOffer({ type: 'offer', what }));
    }),
    rest: html`${isTable || (mine === null && game.seats !== null) ? nothing : notices}
      ${
        game.seats === null
          ? nothing
          : html`${tool('share.move', picture(PICTURES.link), copyMove)} ${tool('replay.copy', icon('copy'), copyPosition)}
            ${recordTools(game.id)} ${opponentTools(game, mine)}`
      }`,
  });
}

/** The tools by which a player challenges or reports the other one, if that is a person.
 * @param {Game} game
 * @param {Side | null} mine
 */
function opponentTools(game, mine) {
  const other = mine === null ? undefined : game.seats?.[otherSide(mine)];
  if (other === undefined || !isPerson(other) || isOneTable(game)) return nothing;
  return html`${tool('game.challenge', picture(PICTURES.challenge), () => openChallenge(other, game, mine))}
    ${tool('game.report', picture(PICTURES.report), () => openReport(other, game.id))}`;
}

const BRACES = svg`<path d="M9 4c-3 0-2 3-2 5s-1 3-3 3c2 0 3 1 3 3s-1 5 2 5M15 4c3 0 2 3 2 5s1 3 3 3c-2 0-3 1-3 3s1 5-2 5"/>`;

/** Links to a game's record.
 * @param {string} id
 */
const recordTools = (id) =>
  [
    { key: 'record.download', shape: icon('download'), type: 'txt' },
    { key: 'record.json', shape: picture(BRACES), type: 'json' },
  ].map(
    ({ key, shape, type }) =>
      html`<a class="button quiet" href=${`/api/v1/games/${id}/record.${type}`}
        download=${`towers-${id}.${type}`}>${shape} <span>${t(key)}</span></a>`,
  );
