// Wood on wood, made on the spot: a short knock is a decaying tone with a breath of noise, a chime two soft tones.

import { recall, remember } from './page.js';
import { preferred } from './preferences.js';

/** Loudness of sounds. */
const VOLUMES = { quiet: 0.08, normal: 0.25, loud: 0.7 };

/** The audio output; made with the first sound.
 * @type {{ context: AudioContext, output: GainNode } | null} */
let room = null;

function openRoom() {
  const context = new AudioContext();
  const output = context.createGain();
  output.connect(context.destination);
  return { context, output };
}

/** @typedef {'move' | 'swap' | 'turn' | 'low' | 'end'} Sound */

/**
 * @param {NonNullable<typeof room>} room
 * @param {number} frequency
 * @param {number} afterS
 * @param {number} lengthS
 * @param {number} loudness
 */
function tone({ context, output }, frequency, afterS, lengthS, loudness) {
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
 * Plays a sound that all tabs have a reason to play, in the first of them only.
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

/** Plays a sound, once the visitor has interacted with the page: browsers allow none before.
 * @param {Sound} sound
 */
export function play(sound) {
  if (!navigator.userActivation.hasBeenActive) return;
  room ??= openRoom();
  room.output.gain.value = VOLUMES[preferred().volume];
  room.context.resume();
  switch (sound) {
    case 'move':
      tone(room, 210, 0, 0.09, 1);
      tone(room, 840, 0, 0.03, 0.4);
      break;
    case 'swap':
      tone(room, 260, 0, 0.08, 0.9);
      tone(room, 330, 0.09, 0.08, 0.9);
      break;
    case 'turn':
      tone(room, 523, 0, 0.5, 0.4);
      tone(room, 784, 0.12, 0.6, 0.35);
      break;
    case 'low':
      for (const afterS of [0, 0.18, 0.36]) tone(room, 988, afterS, 0.1, 0.5);
      break;
    case 'end':
      tone(room, 392, 0, 0.7, 0.4);
      tone(room, 523, 0.16, 0.7, 0.4);
      tone(room, 659, 0.32, 0.9, 0.4);
      break;
  }
}
