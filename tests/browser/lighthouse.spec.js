// Lighthouse finds nothing to better in accessibility, best practices and what search engines read.

import lighthouse from 'lighthouse';
import puppeteer from 'puppeteer-core';
import { expect, test } from './towers.js';

const CATEGORIES = ['accessibility', 'best-practices', 'seo'];
/** Speed is not judged here, so the line is taken as it is. Games of players are kept from search engines. */
const FLAGS = {
  onlyCategories: CATEGORIES,
  throttlingMethod: 'provided',
  disableFullPageScreenshot: true,
  logLevel: 'error',
};

test('Lighthouse gives 100 to accessibility, best practices and SEO', async ({ server }) => {
  test.slow();
  const { executablePath, args } = test.info().project.use.launchOptions;
  const browser = await puppeteer.launch({ executablePath, args });
  for (const address of [
    '/',
    '/learn',
    '/learn/fibonacci',
    '/rules/fibonacci',
    '/puzzles',
    '/analysis',
    '/table',
    '/games',
    '/example/focus',
    '/privacy',
  ])
    await test.step(address, async () => {
      const page = await browser.newPage();
      const { lhr } = await lighthouse(server + address, FLAGS, undefined, page);
      for (const id of CATEGORIES) {
        const { auditRefs, score } = lhr.categories[id];
        const failed = auditRefs
          .map((audit) => lhr.audits[audit.id])
          .filter((audit) => audit.score !== null && audit.score < 1);
        expect.soft(score, `${id}: ${JSON.stringify(failed, null, 1)}`).toBe(1);
      }
      await page.close();
    });
  await browser.close();
});
