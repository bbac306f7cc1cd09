import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.js',
  outputDir: 'results',

  forbidOnly: true,
  fullyParallel: true,
  workers: 2,
  // A test that passes only at the second attempt is reported as flaky, and does not fail the run.
  retries: 0,
  // Speed is not tested: these timeouts are long enough for the slowest machine.
  timeout: 480_000,
  expect: { timeout: 90_000 },
  reporter: [['list']],
  use: {
    // Tests look at requests, fail some and cut the line, which a service worker would hide.
    serviceWorkers: 'block',
    actionTimeout: 90_000,
    navigationTimeout: 90_000,
    trace: { mode: 'retain-on-failure', screenshots: false, sources: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: '/usr/bin/chromium-headless-shell',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
