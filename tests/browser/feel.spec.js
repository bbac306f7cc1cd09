// Feel of a game: steps of the opponent are heard one by one as they are seen, phones vibrate, and the list of keys.

import { GAME, begin, expect, movable, move, playUnseen, test, unfold } from './towers.js';

/** Notes the vibrations of a page, and the beginnings of its sounds by their first tones. */
function note() {
  window.pulses = [];
  window.tones = [];
  navigator.vibrate = (pattern) => window.pulses.push(String(pattern));
  const { createOscillator } = AudioContext.prototype;
  AudioContext.prototype.createOscillator = function () {
    const made = createOscillator.call(this);
    const { setValueAtTime } = made.frequency;
    made.frequency.setValueAtTime = (value, at) => {
      window.tones.push(value);
      return setValueAtTime.call(made.frequency, value, at);
    };
    return made;
  };
}

const SWAP = { tone: 260, pulse: '10,50,10' };
const TRAVEL = { tone: 180, pulse: '10' };

/** White's page in Black's turn, once the visitor has pressed something, and Black's page. */
async function watching(visitor, options, turns = 2) {
  const [black, white] = [await visitor(), await visitor(options)];
  await white.addInitScript(note);
  const id = await begin(black, white, { turns });
  await white.goto(`/game/${id}`);
  await white.locator('#heading').click();
  const heard = () => white.evaluate(() => ({ tones: window.tones, pulses: window.pulses }));
  return { id, black, white, heard };
}

test('each step of the opponent sounds by its kind, and a phone vibrates with it', async ({ visitor }) => {
  const { id, black, white, heard } = await watching(visitor, {}, 1);
  await expect(white.getByRole('gridcell').first()).toBeVisible();
  // White's own steps: along a group, then a swap.
  await expect(movable(white)).not.toHaveCount(0);
  await move(white, GAME.turns[1]);
  const own = await heard();
  expect(own.tones.filter((tone) => [SWAP.tone, TRAVEL.tone].includes(tone))).toEqual([
    TRAVEL.tone,
    SWAP.tone,
  ]);
  expect(own.pulses).toEqual([TRAVEL.pulse, SWAP.pulse]);
  await playUnseen(white, id, GAME.turns[1]);
  await playUnseen(black, id, GAME.turns[2]);
  await expect
    .poll(async () => (await heard()).pulses.length)
    .toBeGreaterThanOrEqual(2 + GAME.turns[2].length);
});

for (const [name, options, preference] of [
  ['less motion is asked for', { reducedMotion: 'reduce' }, null],
  ['vibration is off', {}, ['preference haptics', 'off']],
]) {
  test(`nothing vibrates if ${name}`, async ({ visitor }) => {
    const { id, black, white, heard } = await watching(visitor, options);
    if (preference !== null) {
      await white.evaluate(([key, value]) => localStorage.setItem(key, value), preference);
      await white.reload();
      await white.locator('#heading').click();
    }
    await playUnseen(black, id, GAME.turns[2]);
    await expect(movable(white)).not.toHaveCount(0);
    await move(white, GAME.turns[3].slice(0, 1));
    const { tones, pulses } = await heard();
    expect(pulses).toEqual([]);
    expect(tones.length).toBeGreaterThan(0);
  });
}

test('the keys are listed by ? on the board and in the list of turns, and by a button', async ({
  visitor,
}) => {
  const [black, white, french] = [await visitor(), await visitor(), await visitor({ locale: 'fr-FR' })];
  const id = await begin(black, white, { turns: 2 });
  await black.goto(`/game/${id}`);
  const dialog = black.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(movable(black)).not.toHaveCount(0);
  await movable(black).first().focus();
  await black.keyboard.press('?');
  await expect(dialog.getByText('confirm the turn, once it is complete')).toBeVisible();
  await black.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await black.waitForFunction(() => performance.getEntriesByName('engine').length > 0);
  await black.locator('#turns').focus();
  await black.keyboard.press('?');
  await expect(dialog).toBeVisible();
  await black.keyboard.press('Escape');
  await french.goto(`/game/${id}`);
  await unfold(french);
  await french.getByRole('button', { name: 'Raccourcis clavier' }).click();
  await expect(french.getByRole('dialog').getByText('effacer le tour préparé')).toBeVisible();
});
