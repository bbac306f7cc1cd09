// The puzzles of the server.

import { request } from './api.js';

/** @import { Puzzle, PuzzleList, PuzzleSolution, PuzzleVerdict } from '../protocol.js' */

/** All puzzles, without their positions. */
export const listPuzzles = () => /** @type {Promise<PuzzleList>} */ (request('GET', '/api/v1/puzzles'));

/** @param {string} id or `today` */
export const getPuzzle = (id) =>
  /** @type {Promise<Puzzle>} */ (request('GET', `/api/v1/puzzles/${encodeURIComponent(id)}`));

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
