import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

// Workspace packages resolve to their sources, so tests in one process need no build.
const conditions = ['tenon-source', ...defaultServerConditions];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    environment: 'node',
    allowOnly: false,
    dangerouslyIgnoreUnhandledErrors: false,
    projects: [
      {
        extends: true,
        test: { name: 'packages', include: ['packages/*/src/**/*.test.ts'] },
      },
      {
        // These start processes and read `dist`, so they run after a build.
        extends: true,
        test: {
          name: 'acceptance',
          include: [
            'apps/*/src/**/*.test.ts',
            'examples/src/**/*.test.ts',
            'tooling/acceptance/src/**/*.test.ts',
          ],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'tooling',
          include: [
            'tooling/{api-report,bench,boundaries,build,chaos,conformance,guard,mutants,requirements}/**/*.test.js',
            'tooling/requirements/src/matrix/*.test.ts',
          ],
          testTimeout: 30_000,
        },
      },
      {
        // These need Chromium, so `pnpm test` leaves them out.
        extends: true,
        test: {
          name: 'browser',
          include: ['tooling/browser/**/*.test.js'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
