// Firefox as packaged by Debian, driven over WebDriver BiDi, and the actions of its visitors.

import puppeteer, { TimeoutError } from 'puppeteer-core';
import build from '../build.js';
import { startServer } from '../server.js';

/** Timeout of every wait. Speed is not tested, so this is long enough for the slowest machine. */
const LONGEST_MS = 180_000;

/** Time after which a press without an effect is repeated. On a busy machine a press may take so long that it counts as
 * a long press, and a press right after a move counts as a slip. */
const TRY_MS = 5_000;

const DESKTOP = { width: 1280, height: 800 };

/** Starts a server, and a browser for it. */
export async function openFirefox() {
  build();
  const server = await startServer();
  const options = {
    browser: 'firefox',
    executablePath: '/usr/bin/firefox-esr',
    timeout: LONGEST_MS,
    protocolTimeout: 2 * LONGEST_MS,
    extraPrefsFirefox: { 'intl.accept_languages': 'en-GB, en' },
  };
  const browser = await puppeteer.launch(options).catch(async (error) => {
    await server.stop();
    throw error;
  });
  /** Errors that pages report.
   * @type {string[]} */
  const complaints = [];

  return {
    complaints,

    /** A visitor with cookies of their own, who confirms every turn, on a page of the server. */
    async visitor(path = '/') {
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      page.setDefaultTimeout(LONGEST_MS);
      await page.setViewport(DESKTOP);
      page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.stack}`));
      page.on('console', (message) => {
        if (['error', 'warn'].includes(message.type())) complaints.push(`${page.url()}: ${message.text()}`);
      });
      await page.evaluateOnNewDocument(() => {
        if (location.protocol === 'http:') localStorage.setItem('preference confirm', 'always');
        addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
          console.error(`policy: ${violatedDirective} ${blockedURI} ${sample}`),
        );
      });
      await page.goto(`${server.address}${path}`);
      return page;
    },

    async close() {
      await browser.close();
      await server.stop();
    },
  };
}

/** Waits until a condition holds on a page. The error of a timeout names the condition.
 * @param {import('puppeteer-core').Page} page
 * @param {(...args: any[]) => unknown} isSo runs in the page
 * @param {{ timeout?: number }} options
 * @param {...unknown} args
 */
async function until(page, isSo, options, ...args) {
  try {
    return await page.waitForFunction(isSo, { polling: 100, timeout: LONGEST_MS, ...options }, ...args);
  } catch (error) {
    if (error instanceof TimeoutError) error.message += ` for ${args.join(' ')} at ${page.url()}`;
    throw error;
  }
}

/** Waits for a visible element with a text: its accessible name, or else the text that it shows. */
export const see = (page, selector, words) =>
  until(
    page,
    (selector, source) => {
      const wanted = new RegExp(source);
      return [...document.querySelectorAll(selector)].find((element) => {
        const said = element.getAttribute('aria-label') ?? element.innerText;
        return element.checkVisibility({ visibilityProperty: true }) && wanted.test(said.trim());
      });
    },
    {},
    selector,
    words.source,
  );

/** Presses a button or a link once it takes presses: the buttons of a result take none in their first moments. The page
 * is brought to the front, since the click waits until the element can be seen.
 * */
export async function press(page, words, selector = 'button, a') {
  const element = await see(page, selector, words);
  await page.bringToFront();
  await until(page, (element) => getComputedStyle(element).pointerEvents !== 'none', {}, element);
  await element.click();
}

/** Waits for an address, with its path and its fragment. */
export const isAt = (page, pattern) =>
  until(page, (source) => new RegExp(source).test(location.pathname + location.hash), {}, pattern.source);

const CELL = '[role="gridcell"]';
const cell = (name) => new RegExp(`^${name}\\b`);

/** Waits for a cell with these contents. */
export const seeCell = (page, words) => see(page, CELL, words);

/** Presses until the page shows the effect. */
async function pressUntil(page, pressOnce, isSo, ...args) {
  for (const began = Date.now(); ; ) {
    if (await page.evaluate(isSo, ...args)) return;
    await pressOnce();
    try {
      await until(page, isSo, { timeout: TRY_MS }, ...args);
      return;
    } catch (error) {
      if (!(error instanceof TimeoutError) || Date.now() - began > LONGEST_MS) throw error;
    }
  }
}

/** Makes moves by clicks, without confirming them. */
export async function move(page, actions) {
  for (const action of actions) {
    const [from, to] = action.split('-');
    for (const [pressed, isPicked] of [
      [from, true],
      [to, false],
    ]) {
      await see(page, isPicked ? `${CELL}[aria-selected]` : CELL, cell(pressed));
      await pressUntil(
        page,
        () => press(page, cell(pressed), CELL),
        (from, isPicked) => {
          const cells = [...document.querySelectorAll('[role="gridcell"]')];
          const piece = cells.find((element) => new RegExp(from).test(element.getAttribute('aria-label')));
          return (piece.getAttribute('aria-selected') === 'true') === isPicked;
        },
        cell(from).source,
        isPicked,
      );
    }
  }
}

/** Confirms the turn, unless the server has not yet said that it is complete, or it was sent with its move. */
async function confirmIfReady(page) {
  const found = await page.evaluateHandle(() =>
    [...document.querySelectorAll('button[aria-disabled="false"]')].find(
      (button) => button.checkVisibility() && /^(Confirm|End) turn/.test(button.innerText.trim()),
    ),
  );
  const button = found.asElement();
  if (button === null) return;
  await page.bringToFront();
  await button.click();
}

/** Waits for a heading that says whose turn it is, plays the turn and confirms it. */
export async function playTurn(page, heading, actions) {
  await see(page, 'h2', heading);
  await move(
    page,
    actions.filter((action) => action !== 'end'),
  );
  await pressUntil(
    page,
    () => confirmIfReady(page),
    (source) =>
      ![...document.querySelectorAll('h2')].some(({ innerText }) =>
        new RegExp(source).test(innerText.trim()),
      ),
    heading.source,
  );
}
