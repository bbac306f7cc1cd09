import assert from 'node:assert/strict';
import { test } from 'node:test';

import { placeOf } from '../../static/session/packs.js';
import { bytesOf, checkShuffles, claimsOf, shuffledPack } from '../../static/session/shuffle-proof.js';

const digest = (bytes) => crypto.subtle.digest('SHA-256', bytes);
const ZERO = '00'.repeat(32);
const ZERO_HASH = '66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925';
const SEED = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';

/** The packs of rounds 0, 1 and 41, as an independent program deals them. */
const PACKS = {
  [ZERO]: {
    first: ['524321366415', '363521164452', '655323144612'],
    second: ['455343212166', '441231255636', '416153236245'],
  },
  [SEED]: {
    first: ['443526536121', '234126435516', '121343452566'],
    second: ['365214315426', '265316344521', '264436325115'],
  },
};

test('clause 1.18: a seed gives each side its packs, round by round', async () => {
  for (const [seed, sides] of Object.entries(PACKS)) {
    for (const [side, packs] of Object.entries(sides)) {
      for (const [index, round] of [0, 1, 41].entries()) {
        const pack = await shuffledPack(digest, bytesOf(seed), side, round);
        assert.equal(pack.join(''), packs[index], `${seed} ${side} ${round}`);
      }
    }
  }
});

test('clause 1.17: a side takes its pack card by card, then the next one', () => {
  const at = (turn) => Object.values(placeOf(turn)).join(' ');
  assert.equal(at(1), 'first 0 0');
  assert.equal(at(2), 'second 0 0');
  assert.equal(at(23), 'first 0 11');
  assert.equal(at(25), 'first 1 0');
  assert.equal(at(26), 'second 1 0');
  assert.equal(at(1000), 'second 41 7');
});

/** Both sides' cards of the seed of zeros, turn by turn through the first two rounds. */
const dealt = () => {
  const { first, second } = PACKS[ZERO];
  const [a, b] = [first[0] + first[1], second[0] + second[1]];
  return new Map(
    [...a].flatMap((card, i) => [
      [2 * i + 1, Number(card)],
      [2 * i + 2, Number(b[i])],
    ]),
  );
};

test('a game that was dealt by its seed fits', async () => {
  const { fits, isPromised, hash, cards } = await checkShuffles(digest, ZERO, ZERO_HASH, dealt());
  assert.equal(hash, ZERO_HASH);
  assert.ok(fits && isPromised);
  assert.equal(cards.length, 48);
});

test('a card that is not the seed’s is found, and so is a seed that was not promised', async () => {
  const shown = dealt().set(7, 6);
  const wrong = await checkShuffles(digest, ZERO, ZERO_HASH, shown);
  assert.equal(wrong.fits, false);
  assert.deepEqual(
    wrong.cards.filter((card) => card.shown !== card.computed),
    [{ turn: 7, side: 'first', shown: 6, computed: 3 }],
  );
  const other = await checkShuffles(digest, ZERO, ZERO_HASH.replace('6', '7'), dealt());
  assert.deepEqual([other.isPromised, other.fits], [false, false]);
});

test('claimed cards are in a game’s events, the card of an abandoned turn in its snapshot', () => {
  const events = [
    { type: 'created', seed_hash: ZERO_HASH, start: 'BOARD 1 1 0/0' },
    { type: 'turn_played', turn: 1, card: 5 },
    { type: 'ended', seed: ZERO },
  ];
  const present = { turn: { number: 2, cards: { card: 4 } } };
  assert.deepEqual(claimsOf({ events, present }), {
    seedHash: ZERO_HASH,
    seed: ZERO,
    shown: new Map([
      [1, 5],
      [2, 4],
    ]),
  });
  // A card face up in the start text is whatever the text says (RULES 1.5).
  const given = [{ ...events[0], start: 'BOARD 1 1 5/5' }, ...events.slice(1)];
  assert.deepEqual(claimsOf({ events: given, present })?.shown, new Map([[2, 4]]));
  const without = [{ type: 'created', seed_hash: null, start: 'BOARD 1 1 1/1' }];
  assert.equal(claimsOf({ events: without, present: { turn: { number: 1, cards: null } } }), null);
});
