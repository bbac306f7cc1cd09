import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { createShadow } from '../../static/engine/shadow.js';
import { openPlayerTurn } from '../../static/game-page/player-turn.js';
import { actionsOf } from '../../static/engine/turn-draft.js';
import { engine } from './engine.js';

globalThis.document = { addEventListener() {} };
const { openPreparing } = await import('../../static/game-page/preparing.js');

const GAME = JSON.parse(
  readFileSync(new URL('../../engine/tests/games/fibonacci.json', import.meta.url), 'utf8'),
);

/** A game of Fibonacci as the page has it, after some turns of First and Second. */
function gameAfter(turns, more = {}) {
  const { id, turn } = engine.open('fibonacci');
  const start = turn.position;
  const played = turns.map((actions) => {
    const { number, side } = engine.show(id).turn;
    const { steps } = engine.play(id, actions);
    return { number, side, card: null, steps, version: number + 1 };
  });
  const present = { status: 'playing', turn: engine.show(id).turn, version: turns.length + 2 };
  engine.close(id);
  const common = { version: present.version, since: present.version, notes: [], draft: null };
  return { ...common, ruleset: 'fibonacci', start, turns: played, present, ...more };
}

/** A page of Second in a turn of First; `sent` are the commands. */
function open({ isAtOnce = false, turns = [] } = {}) {
  const shadow = createShadow(engine);
  const [sent, notes] = [[], []];
  const playerTurn = openPlayerTurn({
    id: 'g',
    command(what) {
      sent.push([what.type, ...(what.actions ?? [])].join(' '));
      return new Promise(() => {});
    },
    computed: (game, actions) => shadow.choices(game, actions),
    ...{ follow() {}, refused() {}, changed() {} },
  });
  const state = { game: gameAfter(turns), past: null };
  const preparing = openPreparing({
    ...{ state, shadow, playerTurn, t: (key) => key },
    update() {},
    note: (text) => notes.push(text),
    isAtOnce: () => isAtOnce,
  });
  playerTurn.applyEvents(state.game, false);

  /** Draws up a turn; it is legal. */
  const draw = (actions) => {
    preparing.begin();
    for (const text of actions)
      preparing.place.take(
        preparing.place.turnDraft.legal.find((action) => action.text === text),
        'drawn',
      );
  };
  /** The game goes on; the steps are those to animate besides the turns played. */
  const goOn = (game, isMine) => {
    playerTurn.applyEvents(game, isMine);
    const judged = preparing.meet(game);
    judged?.settle();
    return judged?.steps.map(({ action }) => action) ?? null;
  };
  return { preparing, playerTurn, sent, notes, draw, goOn };
}

const TURN = ['g2-i6', 'i6-k6'];

test('a kept turn is sent whole when its time comes, and nothing before', () => {
  const { preparing, sent, notes, draw, goOn } = open();
  draw(TURN);
  assert.equal(preparing.stage, 'drawing');
  preparing.place.confirm();
  assert.equal(preparing.stage, 'kept');
  assert.deepEqual(sent, []);
  assert.deepEqual(goOn(gameAfter([['f11-c6']]), true), TURN);
  assert.deepEqual(sent, [`turn ${TURN.join(' ')}`]);
  assert.deepEqual([preparing.stage, notes.at(-1)], [null, 'prepared.played']);
});

test('a turn of which a part is illegal is dropped as a whole', () => {
  const { preparing, playerTurn, sent, notes, goOn, draw } = open({ turns: GAME.turns.slice(0, 4) });
  draw(['f1-e1', 'e1-f1', 'f1-e1', 'e1-f1', 'f1-e1', 'e1-f1']);
  preparing.place.confirm();
  assert.equal(preparing.stage, 'kept');
  // First's turn leaves Second a single move (RULES 1.7).
  assert.deepEqual(goOn(gameAfter(GAME.turns.slice(0, 5)), true), []);
  assert.deepEqual(
    [preparing.stage, notes, actionsOf(playerTurn.turnDraft)],
    [null, ['prepared.illegal'], []],
  );
  assert.deepEqual(sent, []);
});

test('a turn that is not kept yet stays on the desk as a draft, and is not sent', () => {
  const { playerTurn, sent, notes, draw, goOn } = open();
  draw(TURN.slice(0, 1));
  assert.deepEqual(goOn(gameAfter([['f11-c6']]), true), TURN.slice(0, 1));
  assert.deepEqual(actionsOf(playerTurn.turnDraft), TURN.slice(0, 1));
  assert.deepEqual(sent, ['draft g2-i6']);
  assert.deepEqual(notes, ['prepared.unfinished']);
});

test('a turn that its player kept before its last move is ended early', () => {
  const { preparing, sent, draw, goOn } = open();
  draw(TURN.slice(0, 1));
  preparing.place.confirm();
  goOn(gameAfter([['f11-c6']]), true);
  assert.deepEqual(sent, ['turn g2-i6 end']);
});

test('a change of a kept turn has to be kept anew', () => {
  const { preparing, draw } = open();
  draw(TURN);
  preparing.place.confirm();
  preparing.place.takeBackTo(1);
  assert.equal(preparing.stage, 'drawing');
  assert.deepEqual(actionsOf(preparing.place.turnDraft), TURN.slice(0, 1));
});

test('a turn that its player never confirms is kept once it is complete', () => {
  const { preparing, draw } = open({ isAtOnce: true });
  draw(TURN);
  assert.equal(preparing.stage, 'kept');
});

test('events beside the board leave it alone, the end of the game drops it', () => {
  const { preparing, sent, notes, draw, goOn } = open();
  draw(TURN);
  preparing.place.confirm();
  const offered = { ...gameAfter([]), version: 3, notes: [{}] };
  assert.equal(goOn(offered, false), null);
  assert.equal(preparing.stage, 'kept');
  goOn({ ...offered, version: 4, present: { ...offered.present, status: 'finished' } }, false);
  assert.deepEqual([preparing.stage, sent, notes], [null, [], []]);
});

test('a turn that comes otherwise than it was foreseen drops it with a notice', () => {
  const { preparing, sent, notes, draw, goOn } = open();
  draw(TURN);
  preparing.place.confirm();
  assert.deepEqual(goOn({ ...gameAfter([]), version: 4, since: 4 }, false), []);
  assert.deepEqual([preparing.stage, sent, notes], [null, [], ['prepared.changed']]);
});

test('it is dropped when its player wants, and no turn is prepared before its card is known', () => {
  const { preparing, notes, draw } = open();
  draw(TURN);
  preparing.drop();
  assert.deepEqual([preparing.place, notes], [null, ['prepared.dropped']]);
  const shadow = createShadow(engine);
  const { turn } = engine.open('fibonacci-cards');
  const dealt = { ...turn, position: turn.position.replace('0/0', '3/3'), cards: { ...turn.cards, card: 3 } };
  const game = { ...gameAfter([]), ruleset: 'fibonacci-cards', start: turn.position };
  assert.equal(shadow.next({ ...game, present: { status: 'playing', turn: dealt } }), null);
});

test('in every other game a turn can be drawn up in advance', () => {
  for (const ruleset of ['fibonacci', 'fibonacci-mixed', 'fenix', 'focus', 'focus-classic', 'crossfire']) {
    const { turn } = engine.open(ruleset);
    const game = { ruleset, start: turn.position, turns: [], present: { status: 'playing', turn } };
    const local = createShadow(engine).next(game);
    assert.equal(local.turnDraft.turn.side, 'second', ruleset);
    local.take(local.turnDraft.legal[0].text);
    assert.equal(local.turnDraft.steps.length, 1, ruleset);
  }
});
