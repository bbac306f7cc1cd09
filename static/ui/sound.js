// Wood on wood, made on the spot: a short knock is a decaying tone with a breath of noise, a chime two soft tones.

import { recall, remember } from './page.js';

const context = new AudioContext();
const output = context.createGain();
output.gain.value = 0.25;
output.connect(context.destination);

/** @typedef {'move' | 'swap' | 'turn' | 'low' | 'end'} Sound */

/**
 * @param {number} frequency
 * @param {number} afterS
 * @param {number} lengthS
 * @param {number} loudness
 */
function tone(frequency, afterS, lengthS, loudness) {
  const at = context.currentTime + afterS;
  const source = context.createOscillator();
  const level = context.createGain();
  source.type = 'triangle';
  source.frequency.setValueAtTime(frequency, at);
  level.gain.setValueAtTime(0, at);
  level.gain.linearRampToValueAtTime(loudness, at + 0.004);
  level.gain.exponentialRampToValueAtTime(0.001, at + lengthS);
  source.connect(level).connect(output);
  source.start(at);
  source.stop(at + lengthS);
}

/**
 * Plays what all tabs have a reason to play, in the first of them that comes to it.
 *
 * @param {Sound} sound
 * @param {string} occasion
 */
export async function playOnce(sound, occasion) {
  // There are no locks on a page that came by plain HTTP.
  if (!('locks' in navigator)) return play(sound);
  await navigator.locks.request('sound', () => {
    if (recall('sounded') === occasion) return;
    remember('sounded', occasion);
    play(sound);
  });
}

/** @param {Sound} sound */
export function play(sound) {
  context.resume();
  switch (sound) {
    case 'move':
      tone(210, 0, 0.09, 1);
      tone(840, 0, 0.03, 0.4);
      break;
    case 'swap':
      tone(260, 0, 0.08, 0.9);
      tone(330, 0.09, 0.08, 0.9);
      break;
    case 'turn':
      tone(523, 0, 0.5, 0.4);
      tone(784, 0.12, 0.6, 0.35);
      break;
    case 'low':
      for (const afterS of [0, 0.18, 0.36]) tone(988, afterS, 0.1, 0.5);
      break;
    case 'end':
      tone(392, 0, 0.7, 0.4);
      tone(523, 0.16, 0.7, 0.4);
      tone(659, 0.32, 0.9, 0.4);
      break;
  }
}
