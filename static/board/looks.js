// The games as boards see them: each with its grid, its pieces, and how its positions are read.

import { fenix } from './fenix.js';
import { fibonacci } from './fibonacci.js';
import { crossfire, focus } from './stacks.js';

/** @import { Ruleset, Side } from '../protocol.d.ts' */
/** @import { Grid, Label } from './grid.js' */
/** @import { Args } from './input.js' */

/** @typedef {(name: string, attributes?: Record<string, string | number>, children?: Element[]) => Element} Build */
/** @typedef {(key: string, args?: Args) => string} Translate */

/**
 * The look of a game's board. The *content* of a cell is a piece or a stack of them, as a position's text writes it.
 * @typedef {object} Game
 * @property {'fibonacci' | 'fenix' | 'focus' | 'crossfire'} art which wood it is drawn on
 * @property {Grid} grid
 * @property {(text: string) => Map<string, string>} parse a position's text → cell → content, occupied cells only
 * @property {(flipped: boolean) => Label[]} labels
 * @property {(content: string) => Side} sideOf
 * @property {(content: string) => boolean} isCentre
 * @property {(content: string, t: Translate) => string} name
 * @property {(content: string) => Side[]} [menOf] the men of a stack from the bottom up, where there are stacks
 * @property {(el: Build) => Element[]} pictures the elements that pieces are composed of
 * @property {(el: Build, content: string) => Built} build
 * @property {(content: string, count: number) => [stays: string, goes: string]} lift
 * @property {(under: string, content: string, lost: number) => string} land the content after one lands on another and
 *   `lost` men are removed from the bottom
 * @property {(side: Side) => string} man a man of the reserve
 * @property {(place: number) => number} [capacity] maximum number of men on a place, where places differ
 * @property {boolean} [hasCaptures] whether pieces capture jump by jump
 */

/**
 * The picture of a content: `parts` from the bottom up, `petals` for a centre.
 * @typedef {{ colour: string, shadow: Element, parts: Element[], petals: Element[], badge?: Element }} Built
 */

/** @type {Record<Ruleset, Game>} */
const GAMES = {
  fibonacci,
  'fibonacci-mixed': fibonacci,
  'fibonacci-cards': fibonacci,
  fenix,
  focus,
  'focus-classic': focus,
  crossfire,
};

/** The look of a ruleset's board.
 * @param {Ruleset} ruleset
 */
export const gameOf = (ruleset) => GAMES[ruleset];
