import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.js',
  outputDir: 'results',
  globalSetup: './build.js',
  forbidOnly: true,
  fullyParallel: true,
  workers: 2,
  // A test that passes only at the second try is printed as flaky, and blocks nobody.
  retries: 1,
  // Nothing is tested for speed: these only end what would never come, on the slowest machine too.
  timeout: 900_000,
  expect: { timeout: 180_000 },
  reporter: [['list']],
  use: {
    actionTimeout: 180_000,
    trace: { mode: 'retain-on-failure', screenshots: false, sources: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: '/usr/bin/chromium',
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
