import assert from 'node:assert/strict';
import { test } from 'node:test';

import { START, step, turnOf, playing, begun } from './games.js';
import { openPlayerTurn } from '../../static/game-page/player-turn.js';
import { actionsOf, turnDraftOf, withOptions, withSteps } from '../../static/engine/turn-draft.js';
import { actionNamed } from '../../static/panels/typed.js';

const option = (text, kind = 'move') => ({
  ...{ text, kind, from: text.split('-')[0], to: text.split('-')[1] },
  ...{ count: null, overflow: null, capture: null },
});

test('an action waits for the server without the engine of the page', async () => {
  const { playerTurn, game, answer, asked, drawn } = sit();
  playerTurn.applyEvents(game, true);
  await answer(options(['j6-j7']));
  playerTurn.take(option('j6-j7'), 'drawn');
  assert.deepEqual(actionsOf(playerTurn.turnDraft), [], 'where it leads is not known');
  assert.ok(playerTurn.isAsking);
  playerTurn.take(option('j6-j7'), 'drawn');
  assert.deepEqual(asked(), ['options', 'draft j6-j7'], 'one after the other');
  await answer(options(['j5-i5'], { done: ['j6-j7'] }));
  assert.deepEqual(actionsOf(playerTurn.turnDraft), ['j6-j7']);
  assert.deepEqual(drawn.at(-1), ['j6-j7'], 'the board has yet to draw it');
});

test('taking steps back gives the moves back', () => {
  const steps = [step('j6-j7', 'one on'), step('j5-i5', 'two on')];
  const draft = { steps, turn: { ...turnOf(4, 'second', 4), position: 'two on' }, complete: false };
  const turnDraft = turnDraftOf(turnOf(4, 'second', 4), draft);
  const back = withSteps(turnDraft, 1);
  assert.deepEqual(actionsOf(back), ['j6-j7']);
  assert.equal(back.turn.allowance.left, 3);
  assert.equal(back.turn.position, 'one on');
  assert.deepEqual(withSteps(turnDraft, 0).turn, turnDraft.start);
});

test('the server’s options have the last word', () => {
  const turnDraft = turnDraftOf(turnOf(4, 'second', 4), null);
  const steps = [step('j6-j7', 'theirs')];
  const turn = { ...turnOf(4, 'second', 4), position: 'theirs' };
  const draft = { steps, turn, may_end: true, complete: false };
  const next = withOptions(turnDraft, {
    ...{ draft, actions: [option('end', 'end')], groups: [['a1']] },
    ...{ barred: [], best_capture: 3 },
  });
  assert.equal(next.turn.position, 'theirs');
  assert.deepEqual(next.groups, [['a1']]);
  assert.equal(next.bestCapture, 3);
});

test('a draft that completes the turn does not show the next turn’s numbers', () => {
  const draft = {
    steps: [step('b7-c7', 'done')],
    turn: { ...turnOf(2, 'second', 2), position: 'done' },
    may_end: false,
    complete: true,
  };
  const turnDraft = turnDraftOf(turnOf(1, 'first', 1), draft);
  assert.equal(turnDraft.turn.number, 1);
  assert.equal(turnDraft.turn.side, 'first');
  assert.equal(turnDraft.turn.allowance.left, 0);
  assert.equal(turnDraft.turn.position, 'done');
});

test('a typed action is the one that was written, whatever is between the cells', () => {
  const legal = ['d5-d6', 'd5+d6', 'e7-e5', '*e5', 'end'].map((text) => option(text));
  const named = (written) => actionNamed({ legal, unlisted: false }, written)?.text;
  assert.equal(named(' d5+d6 '), 'd5+d6', 'exactly what is written comes first');
  assert.equal(named('E7 e5'), 'e7-e5');
  assert.equal(named('*E5'), '*e5');
  assert.equal(named('e5'), undefined, 'a drop is written as one');
  assert.equal(named('e5-e7'), undefined);
  assert.equal(
    actionNamed({ legal: null, unlisted: false }, 'd5-d6'),
    undefined,
    'nothing is known to be legal',
  );
});

test('any text may be an action if none is listed', () => {
  const action = actionNamed({ legal: null, unlisted: true }, ' d5xd7xf7 ');
  assert.deepEqual([action.text, action.kind, action.from], ['d5xd7xf7', 'capture', null]);
});

// --- The talk ---

/** A playerTurn at a game, with everything that it sends and draws; `answer` answers the last question. */
function sit(turn = turnOf(4, 'second', 4), computed = () => null) {
  const said = [];
  const waiting = [];
  const drawn = [];
  const refusals = [];
  const follows = [];
  const playerTurn = openPlayerTurn({
    id: 'g',
    command(what) {
      said.push(what);
      return new Promise((resolve) => waiting.push(resolve));
    },
    computed,
    follow: (version) => follows.push(version),
    refused: ({ code }) => refusals.push(code),
    changed: (fresh) => drawn.push(fresh.map(({ action }) => action)),
  });
  const game = { ...begun, version: 5, turns: [], present: playing(5, turn), draft: null };
  const answer = async (what) => {
    waiting.pop()(what);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const asked = () => said.map(({ type, actions }) => [type, ...(actions ?? [])].join(' '));
  return { playerTurn, game, answer, asked, drawn, refusals, follows };
}
const options = (actions, { done = [], complete = false, end = false } = {}) => ({
  type: 'options',
  draft: { steps: done.map((text) => step(text, `after ${text}`)), turn: turnOf(4, 'second', 4), complete },
  actions: [...actions.map((text) => option(text)), ...(end ? [option('end', 'end')] : [])],
  ...{ groups: [], barred: [], best_capture: null },
});
const nack = (code) => ({ type: 'nack', code, index: 0, rule: '1.12' });

test('the options of a turn that begins are requested, and the answer is on the desk', async () => {
  const { playerTurn, game, answer, asked } = sit();
  playerTurn.applyEvents(game, true);
  assert.deepEqual(asked(), ['options']);
  assert.ok(playerTurn.isAsking);
  await answer(options(['j6-j7']));
  assert.deepEqual(
    playerTurn.turnDraft.legal.map(({ text }) => text),
    ['j6-j7'],
  );
  assert.ok(!playerTurn.isAsking);
});

test('a player not to move has no desk and sends no request', () => {
  const { playerTurn, game, asked } = sit();
  playerTurn.applyEvents(game, false);
  assert.equal(playerTurn.turnDraft, null);
  assert.deepEqual(asked(), []);
});

test('a turn is drafted, confirmed once, and sent whole', async () => {
  const { playerTurn, game, answer, asked } = sit();
  playerTurn.applyEvents(game, true);
  await answer(options(['j6-j7']));
  playerTurn.take(option('j6-j7'), 'drawn');
  playerTurn.confirm();
  assert.deepEqual(asked(), ['options', 'draft j6-j7'], 'nothing is sent before the draft is answered');
  await answer(options(['j5-i5'], { done: ['j6-j7'], end: true }));
  playerTurn.confirm();
  playerTurn.confirm();
  assert.deepEqual(asked().slice(2), ['turn j6-j7 end'], 'one turn is sent once');
  assert.equal(playerTurn.sending, 'turn');
  await answer({ type: 'ack', version: 6 });
  assert.equal(playerTurn.sending, 'turn', 'until the events are here');
  playerTurn.applyEvents({ ...game, version: 6, since: 6 }, false);
  assert.equal(playerTurn.sending, null);
  assert.equal(playerTurn.turnDraft, null);
});

test('a refused draft leaves the confirmed steps before it', async () => {
  const { playerTurn, game, answer, refusals } = sit();
  playerTurn.applyEvents(game, true);
  await answer(options(['j6-j7', 'j5-i5']));
  playerTurn.take(option('j6-j7'), 'drawn');
  await answer(options(['j5-i5'], { done: ['j6-j7'] }));
  playerTurn.take(option('j5-i5'), 'drawn');
  await answer(nack('illegal'));
  assert.deepEqual(refusals, ['illegal']);
  assert.deepEqual(actionsOf(playerTurn.turnDraft), ['j6-j7']);
  assert.deepEqual(
    playerTurn.turnDraft.legal.map(({ text }) => text),
    ['j5-i5'],
  );
});

test('a typed move is drafted and judged by the server if too many are legal to be listed', async () => {
  const { playerTurn, game, answer, asked, drawn, refusals } = sit();
  playerTurn.applyEvents(game, true);
  await answer(nack('too_many'));
  assert.ok(playerTurn.turnDraft.unlisted);
  const type = (text) => playerTurn.take(actionNamed(playerTurn.turnDraft, text), 'typed');
  type('d5xd6');
  await answer(nack('illegal'));
  assert.deepEqual(refusals, ['too_many', 'illegal']);
  assert.deepEqual(actionsOf(playerTurn.turnDraft), []);
  assert.ok(playerTurn.turnDraft.unlisted, 'the next one can be typed at once');
  assert.deepEqual(asked(), ['options', 'draft d5xd6'], 'and no needless request is made');
  type('d5xd7');
  await answer(options([], { done: ['d5xd7'], complete: true }));
  assert.deepEqual(drawn.at(-1), ['d5xd7'], 'the board has yet to draw it');
  assert.ok(playerTurn.turnDraft.complete);
  playerTurn.takeBackTo(0);
  await answer(nack('too_many'));
  assert.deepEqual(actionsOf(playerTurn.turnDraft), []);
  assert.ok(playerTurn.turnDraft.unlisted);
});

test('a draft that another tab made is adopted, and its options are requested without sending it again', async () => {
  const { playerTurn, game, answer, asked } = sit();
  playerTurn.applyEvents(game, true);
  await answer(options(['j6-j7']));
  const draft = options([], { done: ['j6-j7'] }).draft;
  playerTurn.applyEvents({ ...game, draft }, true);
  assert.deepEqual(asked(), ['options', 'options j6-j7']);
  assert.deepEqual(actionsOf(playerTurn.turnDraft), ['j6-j7']);
});

test('after two drafts have crossed, the server is asked for the latest', async () => {
  const { playerTurn, game, answer, follows } = sit();
  playerTurn.applyEvents(game, true);
  await answer(options(['j6-j7', 'j5-i5']));
  playerTurn.take(option('j6-j7'), 'drawn');
  playerTurn.applyEvents({ ...game, draft: options([], { done: ['j5-i5'] }).draft }, true);
  assert.deepEqual(actionsOf(playerTurn.turnDraft), [], 'mine is on its way');
  await answer(options([], { done: ['j6-j7'] }));
  assert.deepEqual(actionsOf(playerTurn.turnDraft), ['j6-j7']);
  assert.deepEqual(follows, [5]);
});

test('an answer about a turn that is over changes nothing', async () => {
  const { playerTurn, game, answer } = sit();
  playerTurn.applyEvents(game, true);
  playerTurn.applyEvents({ ...game, version: 6, since: 6 }, false);
  await answer(options(['j6-j7']));
  assert.equal(playerTurn.turnDraft, null);
});

test('an offer or a credit leaves the turn on the desk and a turn that is on its way alone', async () => {
  const { playerTurn, game, answer, asked } = sit();
  playerTurn.applyEvents(game, true);
  await answer(options(['j6-j7']));
  playerTurn.take(option('j6-j7'), 'drawn');
  playerTurn.applyEvents({ ...game, version: 6 }, true);
  await answer(options([], { done: ['j6-j7'], complete: true }));
  assert.deepEqual(actionsOf(playerTurn.turnDraft), ['j6-j7']);
  playerTurn.confirm();
  playerTurn.applyEvents({ ...game, version: 7, draft: options([], { done: ['j6-j7'] }).draft }, true);
  assert.equal(playerTurn.sending, 'turn');
  assert.deepEqual(asked(), ['options', 'draft j6-j7', 'turn j6-j7'], 'nothing is requested again');
});

test('a turn that is taken back, or the end of the game, clears the desk', async () => {
  const { playerTurn, game, answer } = sit();
  playerTurn.applyEvents(game, true);
  await answer(options(['j6-j7']));
  playerTurn.take(option('j6-j7'), 'drawn');
  playerTurn.applyEvents({ ...game, version: 6, since: 6 }, false);
  assert.equal(playerTurn.turnDraft, null);
  const over = sit();
  over.playerTurn.applyEvents(over.game, true);
  over.playerTurn.leave('abort');
  assert.equal(over.playerTurn.sending, 'abort');
  over.playerTurn.applyEvents(
    { ...over.game, version: 6, present: { ...over.game.present, status: 'aborted' } },
    false,
  );
  assert.equal(over.playerTurn.sending, null);
  assert.equal(over.playerTurn.turnDraft, null);
});

test('what the page computes is on the desk at once, and only drafts are sent', async () => {
  const computed = (_, actions) =>
    options(['j6-j7', 'j7-j8'], { done: actions, complete: actions.length === 2 });
  const { playerTurn, game, answer, asked } = sit(turnOf(4, 'second', 4), computed);
  playerTurn.applyEvents(game, true);
  assert.deepEqual(asked(), [], 'nothing needs to be asked');
  playerTurn.take(option('j6-j7'), 'drawn');
  assert.equal(playerTurn.turnDraft.turn.position, START);
  assert.equal(playerTurn.isAsking, false, 'the next step needs no answer');
  playerTurn.take(option('j7-j8'), 'drawn');
  assert.equal(playerTurn.turnDraft.complete, true);
  playerTurn.confirm();
  assert.deepEqual(asked(), ['draft j6-j7', 'draft j6-j7 j7-j8', 'turn j6-j7 j7-j8']);
  await answer({ type: 'ack', version: 6 });
  assert.equal(playerTurn.sending, 'turn');
});

test('a draft that the server refuses after all is withdrawn', async () => {
  const computed = (_, actions) => options(['j6-j7'], { done: actions });
  const { playerTurn, game, answer, refusals } = sit(turnOf(4, 'second', 4), computed);
  playerTurn.applyEvents(game, true);
  playerTurn.take(option('j6-j7'), 'drawn');
  await answer({ type: 'nack', code: 'illegal', index: 0, rule: '1.12' });
  assert.deepEqual(refusals, ['illegal']);
  assert.deepEqual(actionsOf(playerTurn.turnDraft), []);
});

test('a late answer of the server does not displace a draft that another tab made since', async () => {
  let isLoaded = false;
  const computed = (_, actions) => (isLoaded ? options(['j6-j7'], { done: actions }) : null);
  const { playerTurn, game, answer, asked } = sit(turnOf(4, 'second', 4), computed);
  playerTurn.applyEvents(game, true);
  isLoaded = true;
  playerTurn.applyEvents({ ...game, draft: options([], { done: ['j6-j7'] }).draft }, true);
  await answer(options(['j5-i5']));
  assert.deepEqual(asked(), ['options']);
  assert.deepEqual(actionsOf(playerTurn.turnDraft), ['j6-j7']);
});

test('moves that the server has never had are lost when the game goes on, unless they were sent as a turn', async () => {
  const computed = (_, actions) => options(['j6-j7'], { done: actions, complete: actions.length === 1 });
  const lost = (prepare) => {
    const { playerTurn, game } = sit(turnOf(4, 'second', 4), computed);
    assert.equal(playerTurn.applyEvents(game, true), false);
    prepare(playerTurn, game);
    return playerTurn.applyEvents({ ...game, version: 7, since: 7 }, false);
  };
  assert.equal(
    lost(() => {}),
    false,
    'there were none',
  );
  assert.equal(
    lost((playerTurn) => playerTurn.take(option('j6-j7'), 'drawn')),
    true,
  );
  assert.equal(
    lost((playerTurn) => {
      playerTurn.take(option('j6-j7'), 'drawn');
      playerTurn.takeBackTo(0);
    }),
    false,
    'all were taken back',
  );
  assert.equal(
    lost((playerTurn) => {
      playerTurn.take(option('j6-j7'), 'drawn');
      playerTurn.confirm();
    }),
    false,
    'the turn is on its way',
  );
  const { playerTurn, game, answer } = sit(turnOf(4, 'second', 4), computed);
  playerTurn.applyEvents(game, true);
  playerTurn.take(option('j6-j7'), 'drawn');
  assert.equal(playerTurn.applyEvents({ ...game, version: 6 }, true), false, 'an offer changes no board');
  await answer(options([], { done: ['j6-j7'], complete: true }));
  assert.equal(
    playerTurn.applyEvents({ ...game, version: 7, since: 7 }, false),
    false,
    'the server has them',
  );
});
