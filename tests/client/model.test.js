import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  actionsOf,
  deskOf,
  fold,
  gameIdIn,
  momentAt,
  moments,
  outcomeOf,
  kindOf,
  readTurn,
  sideOf,
  takenIn,
  turnFrom,
  turnLines,
  withAction,
  withDraft,
  withOptions,
  withSteps,
} from '../../static/play/model.js';

const START = 'CSSSSS/1S5/8/8p/2P3ppp1/3P3p3/1PPP3p2/P8/8/5s1/sssssc 1 1 1/1';
const anna = { id: 'anna', name: 'Anna' };
const ben = { id: 'ben', name: 'Ben' };

const step = (action, position) => ({
  action,
  position,
  route: action === 'end' ? [] : action.split('-'),
  swap: false,
  count: null,
  overflow: null,
  taken: [],
  threats: null,
});
const turnOf = (number, side, allowance) => ({
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

const created = {
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
const started = { type: 'started', version: 2, at_ms: 2, seats: { first: anna, second: ben } };
const played = (version, turn, side, ...actions) => ({
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
const playing = (version, turn) => ({ status: 'playing', version, turn });
const news = (type, events, present, draft = null) => ({ type, game: 'g', events, present, draft });

const opened = fold(
  null,
  news('snapshot', [created], { status: 'open', version: 1, turn: turnOf(1, 'first', 1) }),
);
const begun = fold(opened, news('events', [started], playing(2, turnOf(1, 'first', 1))));
const afterThree = fold(
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

test('a room is folded, then the game that begins in it', () => {
  assert.equal(opened.seats, null);
  assert.equal(sideOf(opened, anna), null);
  assert.deepEqual(begun.seats, { first: anna, second: ben });
  assert.equal(sideOf(begun, ben), 'second');
  assert.equal(sideOf(begun, { id: 'carl', name: 'Ben' }), null, 'a name is no identity');
  assert.equal(begun.version, 2);
});

test('events that are known already change nothing', () => {
  const again = fold(
    afterThree,
    news('events', [started, played(3, 1, 'first', 'b7-c7')], playing(5, turnOf(4, 'second', 4))),
  );
  assert.deepEqual(again, afterThree);
});

test('a gap in the versions is seen, in between and at the end', () => {
  assert.equal(
    fold(begun, news('events', [played(4, 1, 'first', 'b7-c7')], playing(4, turnOf(2, 'second', 2)))),
    null,
  );
  assert.equal(fold(begun, news('events', [], playing(3, turnOf(2, 'second', 2)))), null);
  assert.equal(fold(null, news('events', [started], playing(2, turnOf(1, 'first', 1)))), null);
});

test('a snapshot replaces what was known', () => {
  const fresh = fold(afterThree, news('snapshot', [created, started], playing(2, turnOf(1, 'first', 1))));
  assert.deepEqual(fresh, begun);
});

test('a draft counts only for its own version', () => {
  const draft = { steps: [step('b7-c7', 'x')], turn: turnOf(1, 'first', 1), may_end: false, complete: true };
  assert.equal(withDraft(begun, { type: 'draft', game: 'g', version: 2, draft }).draft, draft);
  assert.equal(withDraft(begun, { type: 'draft', game: 'g', version: 1, draft }).draft, null);
});

test('only a finished game has an outcome', () => {
  assert.equal(outcomeOf(begun), null);
  const outcome = { winner: 'first', reason: 'resign' };
  const over = fold(
    begun,
    news(
      'events',
      [
        { type: 'resigned', version: 3, at_ms: 3, side: 'second' },
        { type: 'ended', version: 4, at_ms: 3, outcome },
      ],
      {
        status: 'finished',
        version: 4,
        turn: turnOf(1, 'first', 1),
        outcome,
      },
    ),
  );
  assert.deepEqual(outcomeOf(over), outcome);
});

const event = (version, type, more) => ({ type, version, at_ms: version, ...more });
const takenBack = (version, turns) => event(version, 'turns_taken_back', { turns, side: 'second' });

test('a turn that was taken back is no turn of the game any more, and can be played anew', () => {
  const back = fold(afterThree, news('events', [takenBack(6, 2)], playing(6, turnOf(2, 'second', 2))));
  assert.deepEqual(
    back.turns.map(({ number }) => number),
    [1],
  );
  assert.equal(back.version, 6);
  assert.equal(back.since, 6, 'the board has changed');
  assert.deepEqual(
    moments(back).map(({ turn, action }) => `${turn}.${action}`),
    ['1.0', '1.1'],
  );
  const anew = played(7, 2, 'second', 'j6-j7', 'j7-j8');
  const now = fold(back, news('events', [anew], playing(7, turnOf(3, 'first', 3))));
  assert.deepEqual(
    now.turns.map(({ number, version }) => `${number} ${version}`),
    ['1 3', '2 7'],
  );
  const whole = fold(
    null,
    news(
      'snapshot',
      [
        created,
        started,
        played(3, 1, 'first', 'b7-c7'),
        played(4, 2, 'second', 'j6-j7', 'j5-i5'),
        played(5, 3, 'first', 'c8-c7', 'end'),
        takenBack(6, 2),
        anew,
      ],
      playing(7, turnOf(3, 'first', 3)),
    ),
  );
  assert.deepEqual(whole, now, 'told at once or bit by bit');
});

test('what happens beside the board has its place among the turns and leaves the board as it is', () => {
  const offered = event(6, 'offered', { what: 'takeback', side: 'first' });
  const credited = event(7, 'time_credited', { side: 'second', ms: 41_500 });
  const told = fold(afterThree, news('events', [offered, credited], playing(7, turnOf(4, 'second', 4))));
  assert.equal(told.version, 7);
  assert.equal(told.since, 5);
  assert.deepEqual(told.turns, afterThree.turns);
  const place = ({ after, event: { type } }) => `${after} ${type}`;
  assert.deepEqual(told.notes.map(place), ['3 offered', '3 time_credited']);
  const back = fold(told, news('events', [takenBack(8, 1)], playing(8, turnOf(3, 'first', 3))));
  assert.deepEqual(back.notes.map(place), ['2 offered', '2 time_credited', '2 turns_taken_back']);
});

test('a draft of the turn under way counts also when something beside the board came after it', () => {
  const draft = { steps: [], turn: turnOf(1, 'first', 1), may_end: false, complete: false };
  const offered = event(3, 'offered', { what: 'draw', side: 'first' });
  const told = fold(begun, news('events', [offered], playing(3, turnOf(1, 'first', 1))));
  for (const version of [2, 3])
    assert.equal(withDraft(told, { type: 'draft', game: 'g', version, draft }).draft, draft);
  for (const version of [1, 4])
    assert.equal(withDraft(told, { type: 'draft', game: 'g', version, draft }).draft, null);
});

test('turns that the numbers leave out are shown as skipped, by the side whose they were', () => {
  const turns = [
    { number: 1, side: 'first', before: '', steps: [], card: null },
    { number: 2, side: 'second', before: '', steps: [], card: null },
    { number: 4, side: 'second', before: '', steps: [], card: null },
  ];
  const lines = turnLines(turns, 7).map(({ number, side, skipped }) => `${number} ${side} ${skipped}`);
  assert.deepEqual(lines, [
    '1 first false',
    '2 second false',
    '3 first true',
    '4 second false',
    '5 first true',
    '6 second true',
  ]);
  assert.deepEqual(turnLines([], 1), []);
});

test('a game has a moment for its start and one for each action', () => {
  const all = moments(afterThree);
  assert.deepEqual(
    all.map(({ turn, action }) => `${turn}.${action}`),
    ['1.0', '1.1', '2.1', '2.2', '3.1', '3.2'],
  );
  assert.equal(all[0].position, START);
  assert.equal(all[3].steps.length, 2);
});

test('a link names a moment, or the nearest before it', () => {
  const all = moments(afterThree);
  const at = (hash) => {
    const { turn, action } = all[momentAt(all, hash)];
    return `${turn}.${action}`;
  };
  assert.equal(at('#2.1'), '2.1');
  assert.equal(at('#2'), '2.2', 'a turn alone is its end');
  assert.equal(at('#2.0'), '1.1', 'before its first action a turn is the end of the last');
  assert.equal(at('#9.9'), '3.2');
  assert.equal(at('#0.0'), '1.0');
  for (const hash of ['', '#', '#x.y', '#-1']) assert.equal(at(hash), '1.0', hash);
});

test('going by turns stops where turns end', () => {
  const all = moments(afterThree);
  const walk = (from, by) => {
    const way = [];
    for (let at = from; ; ) {
      const next = turnFrom(all, at, by);
      if (next === at) return way;
      at = next;
      way.push(`${all[at].turn}.${all[at].action}`);
    }
  };
  assert.deepEqual(walk(0, 1), ['1.1', '2.2', '3.2']);
  assert.deepEqual(walk(5, -1), ['2.2', '1.1', '1.0']);
  assert.deepEqual(walk(4, -1), ['2.2', '1.1', '1.0']);
});

test('what stands after the board of a text is read in every game', () => {
  const { side, number, reserves, owed, quiet } = readTurn('x 2 8 3/4', null);
  assert.deepEqual([side, number, reserves, owed, quiet], ['second', 8, null, null, null]);
  assert.deepEqual(readTurn('x 1 7 2 0', null).reserves, { first: 2, second: 0 }, 'stacks');
  const fenix = readTurn('x 2 40 - 12', { turns: 99, limit: 100 });
  assert.deepEqual([fenix.owed, fenix.quiet, fenix.reserves], [null, { turns: 12, limit: 100 }, null]);
  assert.deepEqual(readTurn('x 1 41 K 0', null).owed, { kind: 'king', must: true });
  assert.deepEqual(readTurn('x 1 41 C 0', null).owed, { kind: 'councillor', must: false });
});

test('the text of an action tells its kind', () => {
  const texts = ['end', 'd5-d6', 'd5+d6', 'd5xd7xf7', 'e7~c7', '*e4'];
  assert.deepEqual(texts.map(kindOf), ['end', 'move', 'make', 'capture', 'switch', 'drop']);
});

test('what a side takes is added up, over its turns and through the moments', () => {
  const turns = [
    { number: 1, side: 'first', card: null, steps: [{ ...step('d5xd7', 'a'), taken: ['d6'] }] },
    {
      number: 2,
      side: 'second',
      card: null,
      steps: [{ ...step('e1-e3', 'b'), overflow: { reserved: 1, captured: 2 } }],
    },
    { number: 3, side: 'first', card: null, steps: [{ ...step('a1xa3xa5', 'c'), taken: ['a2', 'a4'] }] },
  ];
  assert.deepEqual(takenIn(turns), { first: 3, second: 2 });
  const game = { ...begun, turns };
  assert.deepEqual(
    moments(game).map(({ taken }) => `${taken.first}:${taken.second}`),
    ['0:0', '1:0', '1:2', '3:2'],
  );
});

test('the card of a turn goes with its moments', () => {
  const cards = [{ ...played(3, 1, 'first', 'b7-c7'), card: 5 }];
  const game = fold(begun, news('events', cards, playing(3, turnOf(2, 'second', 2))));
  assert.deepEqual(
    moments(game).map(({ card }) => card),
    [5, 5],
  );
});

const option = (text, kind = 'move') => ({
  ...{ text, kind, from: text.split('-')[0], to: text.split('-')[1] },
  ...{ count: null, overflow: null, capture: null },
});

test('an action is on the desk at once, and what may follow is not known until the server says it', () => {
  const desk = { ...deskOf(turnOf(4, 'second', 4), null), legal: [option('j6-j7')] };
  const next = withAction(desk, option('j6-j7'));
  assert.deepEqual(actionsOf(next), ['j6-j7']);
  assert.equal(next.legal, null);
  assert.equal(next.turn.allowance.left, 3);
  assert.equal(next.ahead, true, 'where it leads is not known');
  assert.equal(next.turn.position, START);
  assert.equal(next.complete, false);
});

test('taking steps back gives the moves back', () => {
  const draft = {
    steps: [step('j6-j7', 'one on')],
    turn: { ...turnOf(4, 'second', 4), position: 'one on' },
    may_end: true,
    complete: false,
  };
  const desk = withAction(deskOf(turnOf(4, 'second', 4), draft), option('j5-i5'));
  const back = withSteps(desk, 1);
  assert.deepEqual(actionsOf(back), ['j6-j7']);
  assert.equal(back.turn.allowance.left, 3);
  assert.equal(back.turn.position, 'one on');
  assert.equal(back.ahead, false);
  assert.deepEqual(withSteps(desk, 0).turn, desk.start);
});

test('the server’s options have the last word', () => {
  const desk = withAction(deskOf(turnOf(4, 'second', 4), null), option('j6-j7'));
  const steps = [step('j6-j7', 'theirs')];
  const turn = { ...turnOf(4, 'second', 4), position: 'theirs' };
  const draft = { steps, turn, may_end: true, complete: false };
  const next = withOptions(desk, {
    ...{ draft, actions: [option('end', 'end')], groups: [['a1']] },
    ...{ barred: [], best_capture: 3 },
  });
  assert.equal(next.turn.position, 'theirs');
  assert.equal(next.mayEnd, true);
  assert.deepEqual(next.groups, [['a1']]);
  assert.equal(next.bestCapture, 3);
  assert.equal(next.ahead, false);
});

test('a draft that completes the turn does not show the next turn’s numbers', () => {
  const draft = {
    steps: [step('b7-c7', 'done')],
    turn: { ...turnOf(2, 'second', 2), position: 'done' },
    may_end: false,
    complete: true,
  };
  const desk = deskOf(turnOf(1, 'first', 1), draft);
  assert.equal(desk.turn.number, 1);
  assert.equal(desk.turn.side, 'first');
  assert.equal(desk.turn.allowance.left, 0);
  assert.equal(desk.turn.position, 'done');
});

test('an address names a game as the server writes its id, or none', () => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057';
  assert.equal(gameIdIn(`/game/${id}`), id);
  assert.equal(gameIdIn(`/replay/${id.toUpperCase()}`), id);
  for (const wrong of ['not-an-id', '', id.slice(1), `${id}0`, `${id}/`, id.replaceAll('-', '')]) {
    assert.equal(gameIdIn(`/game/${wrong}`), null, wrong);
  }
});
