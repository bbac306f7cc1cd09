// The puzzles of the server.

import { request } from './api.js';

/** @import { Puzzle, PuzzleList, PuzzleSolution, PuzzleVerdict, Trial } from '../protocol.js' */

/** All puzzles, without their positions. */
export const listPuzzles = () => /** @type {Promise<PuzzleList>} */ (request('GET', '/api/v1/puzzles'));

/** @param {string} id or `today` */
export const getPuzzle = (id) =>
  /** @type {Promise<Puzzle>} */ (request('GET', `/api/v1/puzzles/${encodeURIComponent(id)}`));

/** The position of a puzzle after some actions, with the legal continuations.
 * @param {string} id
 * @param {readonly string[]} first the whole first turn, if the actions are of the second one
 * @param {readonly string[]} actions
 */
export const tryPuzzle = (id, first, actions) =>
  /** @type {Promise<Trial>} */ (
    request(
      'GET',
      `/api/v1/puzzles/${encodeURIComponent(id)}/try?${new URLSearchParams({ first: first.join(','), actions: actions.join(',') })}`,
    )
  );

/** Has an attempt judged. Nothing is stored.
 * @param {string} id
 * @param {readonly (readonly string[])[]} turns the own turns
 */
export const attemptPuzzle = (id, turns) =>
  /** @type {Promise<PuzzleVerdict>} */ (
    request('POST', `/api/v1/puzzles/${encodeURIComponent(id)}/attempts`, { turns })
  );

/** @param {string} id */
export const getSolution = (id) =>
  /** @type {Promise<PuzzleSolution>} */ (
    request('GET', `/api/v1/puzzles/${encodeURIComponent(id)}/solution`)
  );
