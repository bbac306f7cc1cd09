import assert from 'node:assert/strict';
import { test } from 'node:test';

import { RADIUS } from '../../static/board/boards.js';
import { fenix } from '../../static/board/fenix.js';
import { fibonacci } from '../../static/board/fibonacci.js';
import { DIRECTIONS, WIDTH, hexAt, middle, steps } from '../../static/board/geometry.js';
import { crossfire, focus } from '../../static/board/stacks.js';

const { cells, rows, placeOf, cellAt, placeAt, pointOf, neighbour, wayThrough, directionOf } = fibonacci.grid;
const { labels } = fibonacci;
const games = { fibonacci, fenix, focus, crossfire };
const places = cells.map((_, place) => place);
const at = (cell) => placeOf(cell, false);
const name = (place) => (place === null ? null : cells[place]);

/** The cells around one, clockwise from the right. */
const around = ({ grid }, cell) =>
  grid.lattice.directions.map((_, k) => {
    const place = grid.neighbour(grid.placeOf(cell, false), k);
    return place === null ? null : grid.cells[place];
  });

test('the cells are the 91 of RULES 1.1, in the rows of 1.2', () => {
  assert.deepEqual(
    rows.map((row) => row.length),
    [6, 7, 8, 9, 10, 11, 10, 9, 8, 7, 6],
  );
  assert.equal(rows[0].join(' '), 'a6 b7 c8 d9 e10 f11');
  assert.equal(rows[5].join(' '), 'a1 b2 c3 d4 e5 f6 g7 h8 i9 j10 k11');
  assert.equal(rows[10].join(' '), 'f1 g2 h3 i4 j5 k6');
  assert.equal(new Set(cells).size, 91);
  for (const cell of cells) {
    assert.ok(Math.abs(cell.charCodeAt(0) - 96 - Number(cell.slice(1))) <= 5, cell);
  }
});

test('neighbours are those of RULES 1.1, and an inner cell has six', () => {
  assert.deepEqual(around(fibonacci, 'f6'), ['g7', 'g6', 'f5', 'e5', 'e6', 'f7']);
  assert.deepEqual(around(fibonacci, 'a6'), ['b7', 'b6', 'a5', null, null, null]);
  for (const place of places) {
    for (let k = 0; k < 6; k++) {
      const next = neighbour(place, k);
      if (next === null) continue;
      assert.equal(neighbour(next, (k + 3) % 6), place);
      assert.equal(directionOf(place, next), k);
      assert.ok(
        Math.abs(Math.hypot(pointOf(next).x - pointOf(place).x, pointOf(next).y - pointOf(place).y) - WIDTH) <
          1e-6,
      );
    }
  }
});

for (const [title, { grid }] of Object.entries(games)) {
  test(`${title}: cell to point to cell is the identity, anywhere inside the cell`, () => {
    grid.cells.forEach((_, place) => {
      const { x, y } = grid.pointOf(place);
      for (let k = 0; k < 36; k++) {
        const reach = 0.85 * RADIUS * Math.cos(Math.PI / 6);
        const point = { x: x + reach * Math.cos(k), y: y + reach * Math.sin(k) };
        assert.equal(grid.placeAt(point), place);
      }
    });
  });

  test(`${title}: a neighbour's neighbour on the other side is the cell itself, and its direction is told`, () => {
    const { length } = grid.lattice.directions;
    grid.cells.forEach((_, place) => {
      for (let k = 0; k < length; k++) {
        const next = grid.neighbour(place, k);
        if (next === null) continue;
        assert.equal(grid.neighbour(next, (k + length / 2) % length), place);
        assert.equal(grid.directionOf(place, next), k);
        assert.equal(grid.distance(place, next), 1);
      }
    });
  });

  test(`${title}: turning the board twice changes nothing, once turns every cell by 180°`, () => {
    for (const cell of grid.cells) {
      assert.equal(grid.cellAt(grid.placeOf(cell, true), true), cell);
      const straight = grid.pointOf(grid.placeOf(cell, false));
      const turned = grid.pointOf(grid.placeOf(cell, true));
      assert.ok(Math.abs(straight.x + turned.x) < 1e-9 && Math.abs(straight.y + turned.y) < 1e-9, cell);
    }
  });

  test(`${title}: each letter and number of the cells has one label, in sight and on no cell, turned or not`, () => {
    const [left, top, width, height] = grid.fieldBox.split(' ').map(Number);
    for (const flipped of [false, true]) {
      const all = games[title].labels(flipped);
      const wanted = new Set(grid.cells.flatMap((cell) => [cell[0], cell.slice(1)]));
      assert.deepEqual(all.map(({ text }) => text).sort(), [...wanted].sort());
      for (const { text, x, y } of all) {
        assert.ok(x > left + 8 && x < left + width - 8 && y > top + 12 && y < top + height - 12, text);
        const { u, v } = grid.lattice.at({ x, y });
        assert.ok(
          !grid.cells.some((_, place) => grid.spotOf(place).u === u && grid.spotOf(place).v === v),
          text,
        );
      }
    }
  });

  test(`${title}: cells that share a side never have the same tone`, () => {
    grid.cells.forEach((_, place) => {
      for (const k of grid.lattice.sides) {
        const next = grid.neighbour(place, k);
        if (next !== null) assert.notEqual(grid.toneOf(next), grid.toneOf(place));
      }
    });
  });

  test(`${title}: outside the field the nearest cell answers up to 0.6 cells away, further out none`, () => {
    const row = Math.floor(grid.rows.length / 2);
    const place = grid.placeOf(grid.rows[row][0], false);
    const { x, y } = grid.pointOf(place);
    assert.equal(grid.placeAt({ x: x - 1.09 * WIDTH, y }), place);
    assert.equal(grid.placeAt({ x: x - 1.11 * WIDTH, y }), null);
  });
}

test('Fenix has 9 × 9 squares, files from the left and ranks from the bottom (RULES 2.1)', () => {
  assert.equal(fenix.grid.rows[0].join(' '), 'a9 b9 c9 d9 e9 f9 g9 h9 i9');
  assert.equal(fenix.grid.rows[8].join(' '), 'a1 b1 c1 d1 e1 f1 g1 h1 i1');
  assert.deepEqual(around(fenix, 'e5'), ['f5', 'f4', 'e4', 'd4', 'd5', 'd6', 'e6', 'f6']);
  assert.deepEqual(around(fenix, 'a9'), ['b9', 'b8', 'a8', null, null, null, null, null]);
});

test('Focus has 8 × 8 squares without its corners (RULES 3.1)', () => {
  assert.deepEqual(
    focus.grid.rows.map((row) => row.length),
    [4, 6, 8, 8, 8, 8, 6, 4],
  );
  const missing = 'a8 b8 g8 h8 a7 h7 a2 h2 a1 b1 g1 h1'.split(' ');
  assert.equal(focus.grid.cells.length, 52);
  for (const cell of missing) assert.ok(!focus.grid.cells.includes(cell), cell);
  assert.deepEqual(around(focus, 'c8'), ['d8', 'd7', 'c7', 'b7', null, null, null, null]);
});

test('Crossfire has the 43 cells, the lines and the capacities of RULES 4.1 and 4.2', () => {
  const { grid, capacity } = crossfire;
  assert.equal(
    grid.rows.map((row) => row.map((cell) => cell[0]).join('')).join(' '),
    'g dfhj acegikm bdfhjl acegikm bdfhjl acegikm dfhj g',
  );
  assert.deepEqual(around(crossfire, 'g5'), ['i5', 'h4', 'f4', 'e5', 'f6', 'h6']);
  assert.deepEqual(around(crossfire, 'g9'), [null, 'h8', 'f8', null, null, null]);
  const held = (cell) => capacity?.(grid.placeOf(cell, false));
  for (const cell of ['g9', 'a7', 'm7', 'a3', 'm3', 'g1']) assert.equal(held(cell), 2, cell);
  for (const cell of ['d8', 'j8', 'a5', 'm5', 'd2', 'j2']) assert.equal(held(cell), 3, cell);
  assert.equal(held('g5'), 6);
  assert.equal(new Set(grid.cells.map(held)).size, 4);
  assert.equal(grid.cells.filter((cell) => held(cell) === 5).length, 12, '5 on the other cells of the edge');
});

test('a point belongs to the hexagon whose middle is nearest', () => {
  for (let x = -300; x <= 300; x += 13) {
    for (let y = -300; y <= 300; y += 11) {
      const hex = hexAt({ x, y });
      const own = Math.hypot(middle(hex).x - x, middle(hex).y - y);
      for (const { u, v } of DIRECTIONS) {
        const other = middle({ u: hex.u + u, v: hex.v + v });
        assert.ok(own <= Math.hypot(other.x - x, other.y - y) + 1e-9);
      }
    }
  }
});

test('steps count the moves of a king on the hexagons', () => {
  assert.equal(steps({ u: 0, v: 0 }, { u: 2, v: 2 }), 2);
  assert.equal(steps({ u: 0, v: 0 }, { u: 2, v: -1 }), 3);
  assert.equal(fibonacci.grid.distance(at('a1'), at('k11')), 10);
  assert.equal(fibonacci.grid.distance(at('a6'), at('k6')), 10);
});

test('each line is labelled once, on the continuation of its cells, turned or not', () => {
  for (const flipped of [false, true]) {
    const all = labels(flipped);
    assert.deepEqual(
      all.map(({ text }) => text).sort(),
      [...'abcdefghijk', ...places.slice(0, 11).map((k) => String(k + 1))].sort(),
    );
    for (const { text, x, y } of all) {
      const isLetter = /[a-k]/.test(text);
      // From the label the line goes up and right for a letter, down and right for a number.
      const first = { x: x + WIDTH / 2, y: y + (isLetter ? -1 : 1) * (WIDTH / 2) * Math.sqrt(3) };
      const cell = cellAt(/** @type {number} */ (placeAt(first)), flipped);
      assert.equal(isLetter ? cell[0] : cell.slice(1), text);
    }
  }
});

test('a way leads through the group only, and as short as can be', () => {
  const way = (from, to, ...group) => wayThrough(at(from), at(to), group.map(at)).map(name);
  assert.deepEqual(way('e5', 'f6'), ['e5', 'f6']);
  assert.deepEqual(way('d9', 'a5', 'b6', 'b7', 'c8', 'd9', 'e10', 'f11'), ['d9', 'c8', 'b7', 'b6', 'a5']);
  assert.deepEqual(way('a1', 'k11'), ['a1', 'k11'], 'without a chain the way is straight');
});

test('the outline of a group is one loop around it, and a hole is a loop of its own', () => {
  const loops = (...group) => fibonacci.grid.outline(group.map(at), 12).match(/Z/g)?.length;
  assert.equal(loops('f6'), 1);
  assert.equal(loops('f6', 'g7', 'g6'), 1);
  assert.equal(loops('f6', 'h8'), 2);
  assert.equal(loops('g7', 'g6', 'f5', 'e5', 'e6', 'f7'), 2);
  assert.equal(fibonacci.grid.outline([], 12), '');
});
