import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { setUp } from '../../static/lessons/exercise.js';
import { LESSONS, lessonOf } from '../../static/lessons/lessons.js';
import { engine } from './engine.js';

const words = Object.fromEntries(
  ['en', 'fr'].map((language) => [
    language,
    JSON.parse(readFileSync(new URL(`../../static/i18n/${language}.json`, import.meta.url), 'utf8')),
  ]),
);

for (const lesson of LESSONS) {
  for (const step of lesson.steps) {
    test(`${lesson.ruleset}: the solution of “${step.id}” is legal and reaches the goal, not sooner`, () => {
      const course = setUp(engine, lesson, step);
      assert.equal(course.local.turnDraft.turn.side, course.local.match.turn.side);
      for (const action of step.solution) {
        assert.equal(course.progress, 'open');
        assert.equal(course.toNext(), action);
        const legal = course.local.turnDraft.legal.map(({ text }) => text);
        assert.ok(legal.includes(action), `${action} is not in ${legal.join(' ')}`);
        course.local.take(action);
      }
      assert.equal(course.progress, 'done');
      course.local.close();
    });
  }

  test(`${lesson.ruleset}: each step has its texts in both languages, under a name of its own`, () => {
    const ids = lesson.steps.map(({ id }) => id);
    assert.deepEqual([...new Set(ids)], ids);
    for (const language of ['en', 'fr']) {
      for (const id of ids) {
        for (const part of ['ask', 'why']) {
          const key = `learn.${lesson.ruleset}.${id}.${part}`;
          assert.equal(typeof words[language][key], 'string', `${language}: ${key}`);
        }
      }
    }
  });
}

test('texts of lessons belong to steps that there are', () => {
  const known = new Set(LESSONS.flatMap(({ ruleset, steps }) => steps.map(({ id }) => `${ruleset}.${id}`)));
  for (const key of Object.keys(words.en)) {
    const named = /^learn\.([\w-]+\.\w+)\.(?:ask|why)$/.exec(key)?.[1];
    if (named !== undefined) assert.ok(known.has(named), key);
  }
});

test('a move that is legal but not asked for misses the goal, and a step back opens it again', () => {
  const lesson = lessonOf('fibonacci');
  const step = lesson.steps.find(({ id }) => id === 'group');
  const course = setUp(engine, lesson, step);
  course.local.take('b7-c7');
  assert.equal(course.progress, 'missed');
  course.local.undo();
  assert.equal(course.progress, 'open');
});

test('a hint after another beginning takes it back and starts with the solution', () => {
  const lesson = lessonOf('fibonacci');
  const course = setUp(engine, lesson, lesson.steps.at(-1));
  course.local.take('e7-e6');
  assert.equal(course.toNext(), 'h7-g6');
  assert.equal(course.local.turnDraft.steps.length, 1);
  course.local.restart();
  course.local.take('c1-b1');
  assert.equal(course.toNext(), 'e7-e6');
  assert.equal(course.local.turnDraft.steps.length, 0);
});

test('ko forbids the move that the lesson of Crossfire speaks of', () => {
  const lesson = lessonOf('crossfire');
  const course = setUp(
    engine,
    lesson,
    lesson.steps.find(({ id }) => id === 'ko'),
  );
  assert.deepEqual(
    course.local.turnDraft.barred.map(({ text }) => text),
    ['g5-e5'],
  );
});

test('a ruleset has its own lesson or that of its game', () => {
  assert.equal(lessonOf('focus')?.ruleset, 'focus');
  assert.equal(lessonOf('focus-classic')?.ruleset, 'focus');
  assert.equal(lessonOf('fibonacci-cards')?.ruleset, 'fibonacci-cards');
  assert.equal(lessonOf('chess'), null);
});
