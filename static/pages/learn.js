// The list of lessons. Its texts stand in the page; this adds to each lesson a board and what was done of it.

import { createSmallBoard } from '../board/small-board.js';
import { LESSONS } from '../lessons/lessons.js';
import { doneIn } from '../lessons/progress.js';
import { beginHeader } from '../ui/header.js';
import { rulesetName, t } from '../ui/page.js';

/** @import { Lesson } from '../lessons/lessons.js' */

/** @param {Lesson} lesson */
function fill({ ruleset, steps }) {
  const done = doneIn({ ruleset, steps }).size;
  const n = steps.length;
  const isOver = done === n;
  const card = document.querySelector(`[data-lesson="${ruleset}"]`);
  const [place, state, link] = ['.lesson-board', '.lesson-state', 'a'].map((part) =>
    card?.querySelector(part),
  );
  if (!place || !state || !link) throw new Error(`the page has no place for the lesson of ${ruleset}`);
  const board = createSmallBoard(ruleset);
  board.show(steps[n - 1].position, true);
  place.append(board.element);
  if (done === 0) state.textContent = t('learn.steps', { n });
  else state.textContent = isOver ? t('learn.finished') : t('learn.begun', { done, n });
  const what = t(done === 0 ? 'learn.start' : isOver ? 'learn.repeat' : 'learn.continue');
  link.textContent = what;
  link.setAttribute('aria-label', t('learn.named', { what, game: rulesetName(ruleset) }));
}

beginHeader();
for (const lesson of LESSONS) fill(lesson);
