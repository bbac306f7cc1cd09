// The tones of sounds, which are loaded with the first sound: wood on wood, made on the spot. A knock is a short tone and
// its overtone, a chime two soft tones.

/** @import { Preferences } from './preference-values.js' */

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

/** The tones of each sound: frequency, start and length in seconds, loudness.
 * @satisfies {Record<string, [number, number, number, number][]>}
 */
const SOUNDS = {
  move: [
    [210, 0, 0.09, 1],
    [840, 0, 0.03, 0.4],
  ],
  travel: [
    [180, 0, 0.06, 0.5],
    [195, 0.07, 0.06, 0.6],
    [210, 0.15, 0.09, 1],
  ],
  swap: [
    [260, 0, 0.08, 0.9],
    [330, 0.09, 0.08, 0.9],
  ],
  capture: [
    [150, 0, 0.14, 1],
    [620, 0, 0.03, 0.5],
    [110, 0.08, 0.16, 0.8],
  ],
  make: [
    [210, 0, 0.08, 0.8],
    [315, 0.08, 0.14, 0.9],
  ],
  drop: [
    [300, 0, 0.05, 0.5],
    [170, 0.05, 0.12, 1],
  ],
  turn: [
    [523, 0, 0.5, 0.4],
    [784, 0.12, 0.6, 0.35],
  ],
  low: [
    [988, 0, 0.1, 0.5],
    [988, 0.18, 0.1, 0.5],
    [988, 0.36, 0.1, 0.5],
  ],
  end: [
    [392, 0, 0.7, 0.4],
    [523, 0.16, 0.7, 0.4],
    [659, 0.32, 0.9, 0.4],
  ],
};

/** @typedef {keyof typeof SOUNDS} Sound */

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
 * @param {Sound} sound
 * @param {Preferences['volume']} volume
 */
export function sounded(sound, volume) {
  room ??= openRoom();
  room.output.gain.value = VOLUMES[volume];
  room.context.resume();
  for (const each of SOUNDS[sound]) tone(room, ...each);
}
