import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readFragment, fragmentOf } from '../../static/analysis/fragment.js';
import { filtersFrom } from '../../static/lobby/filters.js';
import { bareWord, gameIdIn, lastWord } from '../../static/connection/links.js';
import { namesMoment } from '../../static/session/moments.js';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const [START, END] = [ID.slice(0, 18), ID.slice(18)];

test('a link or an id names a game, with whatever text is around it', () => {
  for (const link of [
    ...[ID, `/game/${ID}`, `/replay/${ID.toUpperCase()}`, `https://towers.example/replay/${ID}?lang=fr#7.2`],
    ...[
      `${ID}.`,
      `${ID},`,
      `(${ID})`,
      `<${ID}>`,
      `“${ID}”`,
      `« ${ID} »`,
      `**${ID}**`,
      `_${ID}_`,
      `${ID}…`,
      `${ID}&gt;`,
    ],
    ...[
      ` ${ID}\n`,
      `${ID}\u00a0`,
      `${ID}\u200b`,
      `\ufeff${ID}`,
      `${ID}\u00ad`,
      `${ID}%20`,
      `${ID}%E2%80%8B`,
      `${ID}%A0`,
    ],
    ...[`/game/${ID}/`, `/game/${ID}//`, `/game/${ID}/.`, `//game//${ID}`, `{${ID}}`, `/game/%7B${ID}%7D`],
    ...[
      `${START} ${END}`,
      `${START}=\r\n${END}`,
      `${START}\u200b${END}`,
      ID.replaceAll('-', ''),
      ID.replaceAll('-', '\u2011'),
    ],
  ]) {
    assert.equal(gameIdIn(link), ID, link);
  }
  for (const wrong of [
    'not-an-id',
    '',
    ID.slice(1),
    `${ID}0`,
    `${ID}a`,
    `a${ID}`,
    '/game/',
    '/analysis',
    '1 g9-f8 1.250s',
  ]) {
    assert.equal(gameIdIn(wrong), null, wrong);
  }
});

test('the words and numbers of a link are read without the text around it', async () => {
  for (const word of ['fenix', 'Fenix.', 'fenix)', '"fenix"', 'fenix/', 'fenix\u200b', ' fenix%20', 'FENIX!'])
    assert.equal(bareWord(word), 'fenix', word);
  assert.equal(bareWord('focus-classic).'), 'focus-classic');
  for (const path of ['/learn/fenix', '/learn//fenix/', '/learn/Fenix/.', '/learn/fenix).'])
    assert.equal(lastWord(path), 'fenix');
  const given = new URLSearchParams('ruleset=fenix&result=draw&since=2026-11-21).');
  const { ruleset, result, since } = filtersFrom(given, ['fenix']);
  assert.deepEqual([ruleset, result, since], ['fenix', 'draw', '2026-11-21']);
  for (const hash of ['#7', '#7.2', '#7.2)', '#7.', '#7.2%E2%80%8B', '#7.2/'])
    assert.ok(namesMoment(hash), hash);
  for (const hash of ['', '#main', '#7a']) assert.ok(!namesMoment(hash), hash);
  const fragment = await fragmentOf('a text', 3);
  for (const link of [
    fragment,
    `${fragment}).`,
    `${fragment}%20`,
    fragment.replace('&at', '&amp;at'),
    `${fragment}>`,
  ])
    assert.deepEqual(await readFragment(link), { text: 'a text', at: 3 }, link);
});
