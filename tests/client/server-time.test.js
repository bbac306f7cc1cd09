import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createGaps, createServerTime } from '../../static/connection/server-time.js';

const MINUTE = 60_000;
const NOON = 1_790_000_000_000;

/** A device whose clock is wrong by some milliseconds, and a server. */
function world(wrongMs = 0) {
  const now = { server: NOON, steady: 1_000, wall: NOON + wrongMs };
  const clocks = { steadyMs: () => now.steady, wallMs: () => now.wall };
  const pass = (ms, stands = {}) => {
    now.server += ms;
    if (!stands.steady) now.steady += ms;
    if (!stands.wall) now.wall += ms;
  };
  return { now, clocks, pass, time: createServerTime(clocks) };
}

/** How far the page is off the server's time. */
const off = ({ time, now }) => Math.round(time.now() - now.server);

/** Asks the server, whose answer is under way for some milliseconds in each direction. */
function ask({ time, now, pass }, thereMs = 20, backMs = 20) {
  const asked = now.steady;
  pass(thereMs);
  const written = now.server;
  pass(backMs);
  time.learn(written, asked);
}

test('before the server has been heard, the time is that of the device', () => {
  const slow = world(-5 * MINUTE);
  assert.equal(off(slow), -5 * MINUTE);
  slow.now.wall += 5 * MINUTE;
  assert.equal(off(slow), 0, 'also after its clock was set');
});

test('a device whose clock is five minutes wrong knows the time from the first words of the server', () => {
  for (const wrong of [-5 * MINUTE, 5 * MINUTE]) {
    const one = world(wrong);
    const written = one.now.server;
    one.pass(80);
    one.time.learn(written);
    assert.equal(off(one), -80, 'the time under way cannot be known from one message');
    ask(one);
    assert.equal(off(one), 0);
  }
});

test('a message that waited while the page was frozen does not set the clock back', () => {
  const one = world(MINUTE);
  ask(one);
  const written = one.now.server;
  one.pass(20 * MINUTE);
  one.time.learn(written);
  assert.ok(Math.abs(off(one)) < 500, `${off(one)}`);
});

test('an answer that waited while the page was frozen does not set the clock back', () => {
  const one = world();
  ask(one);
  const asked = one.now.steady;
  one.pass(20);
  const written = one.now.server;
  one.pass(20 * MINUTE);
  one.time.learn(written, asked);
  assert.ok(Math.abs(off(one)) < 500, `${off(one)}`);
});

test('a device that slept with its steady clock standing still goes on by the other one', () => {
  const one = world(-5 * MINUTE);
  ask(one);
  const asked = one.now.steady;
  const written = one.now.server;
  one.pass(90 * MINUTE, { steady: true });
  assert.equal(off(one), 0);
  one.time.learn(written, asked);
  ask(one);
  assert.equal(off(one), 0, 'and the old answer is corrected by the next');
});

test('a device whose clocks both stood still is right with the first new answer', () => {
  const one = world();
  ask(one);
  one.pass(90 * MINUTE, { steady: true, wall: true });
  ask(one);
  assert.equal(off(one), 0);
});

test('a clock that is set while the page is open does not matter once the server answers', () => {
  for (const jump of [-60 * MINUTE, 60 * MINUTE]) {
    const one = world();
    ask(one);
    one.now.wall += jump;
    if (jump < 0) assert.equal(off(one), 0, 'nothing sleeps backwards');
    one.time.now();
    ask(one);
    assert.equal(off(one), 0);
  }
});

test('a slow answer widens nothing that a quick one has shown', () => {
  const one = world();
  ask(one);
  ask(one, 0, 3_000);
  assert.ok(Math.abs(off(one)) < 25, `${off(one)}`);
});

test('a steady clock that runs a little wrong is followed for days', () => {
  const one = world();
  for (let minutes = 0; minutes < 2 * 24 * 60; minutes += 1) {
    one.pass(MINUTE);
    one.now.steady += 5;
    ask(one);
    assert.ok(Math.abs(off(one)) < 50, `${off(one)} after ${minutes} minutes`);
  }
});

test('a page that did not run for some seconds notices it, whichever clock stood still', () => {
  for (const stands of [{}, { steady: true }, { wall: true }]) {
    const { pass, clocks } = world();
    const hasSlept = createGaps(clocks);
    pass(500, stands);
    assert.equal(hasSlept(), false);
    pass(60 * MINUTE, stands);
    assert.equal(hasSlept(), true);
    assert.equal(hasSlept(), false, 'only once');
  }
  const { now, clocks } = world();
  const hasSlept = createGaps(clocks);
  now.wall -= MINUTE;
  assert.equal(hasSlept(), true, 'a clock that was set back may hide a sleep');
});
