import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { isRecord } from '../../static/analysis/text.js';
import { plainLine, prepared, preparedPosition, preparedRecord } from '../../static/ui/pasted.js';

const document = readFileSync(new URL('../../docs/records.md', import.meta.url), 'utf8');
const [, RECORD] = /```text\n(towers-record 1\n.*?)```/s.exec(document);
const [, JSON_RECORD] = /```json\n(.*?)```/s.exec(document);
const NOTES = `${RECORD}\nnotes\nstart {[%circle g9] The — “corner”.}\n2 ?! {Too  early >.}\n( 2 g1-h2 ! {x}\n3 f8-g9\n)\n`;
const FENIX = 'kkk/9/9 1 3 - 0';
const LONG = RECORD.replace('8 h2-g1 600.000s', '8 h2-g1 g1-h2 *e4 d5xd7xf7 end h2-g1 600.000s');

/** Breaks lines that are longer than a mail has them, at spaces. */
const wrapped = (text, width) =>
  text
    .split('\n')
    .map((line) =>
      /^(\d|start|final)/.test(line)
        ? line.replace(new RegExp(`(.{1,${width}})( |$)`, 'g'), '$1\n').trimEnd()
        : line,
    )
    .join('\n');

/** Encodes as quoted-printable does, for texts without equals signs. */
const softBroken = (text) => text.replace(/^(.{75})(?=.)/gm, '$1=\n');

test('a record is what it was, whatever a mail, a page or an editor has left in it', () => {
  for (const [name, damage] of Object.entries({
    nothing: (text) => text,
    'line ends of Windows': (text) => text.replaceAll('\n', '\r\n'),
    'line ends of old Macs': (text) => text.replaceAll('\n', '\r'),
    'line separators': (text) => text.replaceAll('\n', '\u2028'),
    'a byte order mark': (text) => `\ufeff${text}`,
    'empty lines around': (text) => `\n \n\t\n${text}\n\n\u00a0\n`,
    'no line feed at the end': (text) => text.trimEnd(),
    'spaces at the ends of lines': (text) => text.replaceAll('\n', ' \t\u00a0\n'),
    'an indentation': (text) => text.replace(/^/gm, '    '),
    'a quotation': (text) => text.replace(/^/gm, '> '),
    'a quotation of a quotation': (text) => text.replace(/^/gm, '>> '),
    'a fence': (text) => `\`\`\`text\n${text}\`\`\`\n`,
    'double spacing': (text) => text.replaceAll('\n', '\n\n'),
    'no empty lines': (text) => text.replace(/\n+/g, '\n'),
    'form feeds': (text) => `\f${text}\f`,
    'zero-width spaces': (text) => text.replaceAll(' ', '\u200b \u2060'),
    'soft hyphens': (text) => text.replaceAll('-', '\u00ad-'),
    'other spaces': (text) => text.replace(/(?<=\S) (?=\S)/g, '\u00a0'),
    'thin spaces': (text) => text.replace(/(?<=\S) (?=\S)/g, '\u202f'),
    'broken lines': (text) => wrapped(text, 40),
    'broken short lines': (text) => wrapped(text, 12),
    'soft breaks': softBroken,
    'all of it': (text) => `\ufeff${wrapped(text, 40).replace(/^/gm, '> ').replaceAll('\n', ' \r\n\r\n')}`,
  })) {
    for (const text of [RECORD, LONG]) assert.equal(prepared(damage(text)), text, name);
    if (!name.includes('broken') && name !== 'all of it' && name !== 'other spaces' && name !== 'thin spaces')
      assert.deepEqual(JSON.parse(prepared(damage(JSON_RECORD))), JSON.parse(JSON_RECORD), name);
  }
  const hyphens = RECORD.replace(/(?<=[a-z]\d)-/g, '–')
    .replace('2026-11-20', '2026–11–20')
    .replace('s-r', 's\u2011r');
  assert.equal(prepared(hyphens), RECORD);
  const curled = JSON_RECORD.replace(/"([^"]*)"/g, '“$1”');
  assert.deepEqual(JSON.parse(prepared(curled)), JSON.parse(JSON_RECORD));
});

test('a whole record with notes and names of any kind stays as it is', () => {
  assert.equal(prepared(NOTES), NOTES);
  assert.equal(prepared(NOTES.replaceAll('\n', '\r\n')), NOTES);
  for (const name of ['Zoë – “the 1st” …', 'דנה', '👩\u200d💻', 'a × b — c', '12 Ada', 'final: Ada']) {
    const named = RECORD.replace('Ada Lovelace', name);
    assert.equal(prepared(named), named);
  }
});

test('what is wrong in a record stays, in its own line', () => {
  for (const [from, to] of [
    ['towers-record 1', 'towers-record 2'],
    ['ruleset: crossfire', 'ruleset crossfire'],
    ['first: Ada Lovelace', 'Event Ada Lovelace'],
    ['3 f8-g9', '3 f8-g9 !?'],
    ['3 f8-g9', 'Regards, Zoë'],
  ]) {
    const wrong = RECORD.replace(from, to);
    assert.equal(prepared(wrong), wrong);
  }
  assert.equal(prepared(`${RECORD}-- \nZoë\n`), `${RECORD}--\nZoë\n`);
  assert.equal(prepared('hello'), 'hello');
});

test('a text of several lines is a record without its title, unless it begins with a position', () => {
  const [title, ...rest] = RECORD.split('\n');
  const untitled = rest.join('\n');
  for (const text of [`towers-rekord 1\n${untitled}`, untitled]) {
    assert.equal(prepared(text), text);
    assert.equal(prepared(text.replaceAll('\n', '\r\n')), text);
    assert.equal(preparedRecord(text), text);
  }
  assert.equal(preparedRecord(RECORD), RECORD);
  assert.equal(preparedRecord('towers-rekord 1').split('\n')[0], 'towers-rekord 1');
  assert.ok(isRecord(prepared(untitled)));
  for (const pasted of [
    FENIX,
    FENIX.replaceAll(' ', '\n'),
    FENIX.replace(' - ', '\n– '),
    `“${FENIX.replace(' 3', '\n3')}”`,
    `> ${FENIX.replace(' 3', '\n> 3')}`,
  ]) {
    assert.equal(prepared(pasted), FENIX);
    assert.ok(!isRecord(prepared(pasted)));
  }
  assert.ok(isRecord(title));
});

test('a position and a name lose what nobody sees', () => {
  for (const pasted of [
    FENIX,
    ` ${FENIX}\r\n`,
    `“${FENIX}”`,
    `\`${FENIX}\``,
    `> ${FENIX}`,
    FENIX.replaceAll(' ', '\n'),
    FENIX.replace('-', '–'),
    `\ufeff${FENIX}\u200b`,
  ])
    assert.equal(preparedPosition(pasted), FENIX);
  for (const pasted of ['Zoë', ' Zoë ', 'Zoë\u200b', '\ufeffZoë\r\n', '\u2068Zoë\u2069'])
    assert.equal(plainLine(pasted), 'Zoë');
});
