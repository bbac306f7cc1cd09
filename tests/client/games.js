// A game as the server sends it, for tests of the client's model.

import { fold } from '../../static/session/game-model.js';

export const START = 'CSSSSS/1S5/8/8p/2P3ppp1/3P3p3/1PPP3p2/P8/8/5s1/sssssc 1 1 1/1';
export const anna = { id: 'anna', name: 'Anna' };
export const ben = { id: 'ben', name: 'Ben' };

export const step = (action, position) => ({
  action,
  position,
  route: action === 'end' ? [] : action.split('-'),
  swap: false,
  count: null,
  overflow: null,
  taken: [],
  threats: null,
});
export const turnOf = (number, side, allowance) => ({
  number,
  side,
  position: START,
  allowance: { base: allowance, lost: 0, lost_to: [], allowance, used: 0, left: allowance },
  threats: null,
  reserves: null,
  set_up: null,
  owed: null,
  quiet: null,
  cards: null,
});

export const created = {
  type: 'created',
  version: 1,
  at_ms: 1,
  ruleset: 'fibonacci',
  visibility: 'public',
  creator: anna,
  seat: 'first',
  terms: { clock: { kind: 'none' }, watching: 'everybody', drafts: 'shown', delay: 0 },
  start: START,
  seed_hash: null,
};
export const started = { type: 'started', version: 2, at_ms: 2, seats: { first: anna, second: ben } };
export const played = (version, turn, side, ...actions) => ({
  type: 'turn_played',
  version,
  at_ms: version,
  turn,
  side,
  card: null,
  steps: actions.map((action, i) =>
    step(action, `after ${turn}.${i + 1} ${side === 'first' ? 1 : 2} ${turn} 1/1`),
  ),
  took_ms: 5,
  time: null,
});
export const playing = (version, turn) => ({ status: 'playing', version, turn });
export const news = (type, events, present, draft = null) => ({ type, game: 'g', events, present, draft });

export const opened = fold(
  null,
  news('snapshot', [created], { status: 'open', version: 1, turn: turnOf(1, 'first', 1) }),
);
export const begun = fold(opened, news('events', [started], playing(2, turnOf(1, 'first', 1))));
export const afterThree = fold(
  begun,
  news(
    'events',
    [
      played(3, 1, 'first', 'b7-c7'),
      played(4, 2, 'second', 'j6-j7', 'j5-i5'),
      played(5, 3, 'first', 'c8-c7', 'end'),
    ],
    playing(5, turnOf(4, 'second', 4)),
  ),
);

/** A start with cards, the first of which is not turned over yet. */
export const CARDS_START = START.replace('1/1', '0/0');
