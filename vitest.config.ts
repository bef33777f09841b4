import { availableParallelism } from 'node:os';
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { isStrict, unableFiles } from './tooling/suite/unable-files.js';

// Workspace packages resolve to their sources, so tests in one process need no build.
// Not `module`, which Node does not know: some packages have files for bundlers there.
const conditions = ['tenon-source', ...defaultServerConditions.filter((one) => one !== 'module')];

/** Files that need a process of their own. All others share workers, and the modules loaded there. */
const ownProcess = [
  // They replace a module that another file has loaded by then.
  'packages/foundation/src/files/lock-file.test.ts',
  'packages/client/src/root-permissions.test.ts',
  'packages/host/src/deferred/loading.test.ts',
  'packages/server/src/run/loading.test.ts',
  'packages/server/src/paths/root-guard-race.test.ts',
  'packages/server/src/schemas/lazy-loading.test.ts',
  // It also changes the user and the file mode mask, which a thread cannot.
  'packages/auth/src/desktop/file-store.test.ts',
  // They import programs that listen for signals.
  'examples/src/http/endpoints.test.ts',
  'examples/src/recipes/endpoints.test.ts',
];

/** Files that take longer than `pnpm test` may: `pnpm test:all` and CI run them as well. */
const long = [
  // Tables of attacks: most cases start a process, or send thousands of messages to one.
  'tooling/acceptance/src/authorization/attacks/*.test.ts',
  'tooling/acceptance/src/hostile-client/*.test.ts',
  'tooling/acceptance/src/hostile-server/*.test.ts',
  'packages/client/src/calls/output-schemas-hostile.test.ts',
  // Each requirement in each revision over each transport.
  'tooling/requirements/src/matrix/*.test.ts',
  // Hundreds of generated cases each.
  'packages/json-schema/src/interpreter-agreement.test.ts',
  'packages/protocol/src/revisions/generated-messages.test.ts',
  'tooling/acceptance/src/properties/*.test.ts',
  // A process for each case.
  'examples/src/{examples,authorization/desktop-sign-in,recipes/{programs,shared-state}}.test.ts',
  'packages/auth/src/desktop/file-store-processes.test.ts',
  'packages/host/src/files/audit-processes.test.ts',
  'tooling/acceptance/src/cli/dev/*.test.ts',
  'tooling/acceptance/src/cli/{call,guide,recordings}.test.ts',
  // It bundles programs with two bundlers, and runs them.
  'tooling/browser/bundles.test.js',
  // They run whole programs: the demo, the guard of counts, the compiler, Node without code generation.
  'apps/demo/src/demo.test.ts',
  'tooling/guard/*.test.js',
  'tooling/acceptance/src/cli/generated-types/*.test.ts',
  'tooling/acceptance/src/{many-tools,no-generated-code,type-cost,type-errors}.test.ts',
];

// Files that need a program which is not installed are left out, and the reporter names them. In continuous integration they fail.
const leftOut = isStrict ? [] : unableFiles().flatMap(({ files }) => files);
// Tools with dependencies of their own install them below their folders.
const never = ['**/node_modules/**', ...leftOut];

const sharedWorkers = { isolate: false, setupFiles: ['tooling/suite/leave-no-trace.js'] };

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    environment: 'node',
    allowOnly: false,
    dangerouslyIgnoreUnhandledErrors: false,
    pool: 'threads',
    // Vitest's default leaves one core out.
    maxWorkers: Math.max(2, availableParallelism()),
    // Far above what any test takes: on a busy machine a test may be slow, and passes.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['./tooling/suite/short-reporter.js'],
    silent: 'passed-only',
    passWithNoTests: leftOut.length > 0,
    projects: [
      {
        extends: true,
        test: {
          ...sharedWorkers,
          name: 'packages',
          include: ['packages/*/src/**/*.test.ts'],
          exclude: [...ownProcess, ...long, ...never],
        },
      },
      {
        extends: true,
        test: { name: 'own-process', include: ownProcess, exclude: never, pool: 'forks' },
      },
      {
        // These start processes and read `dist`, so they run after a build.
        extends: true,
        test: {
          ...sharedWorkers,
          name: 'acceptance',
          include: [
            'apps/*/src/**/*.test.ts',
            'examples/src/**/*.test.ts',
            'tooling/acceptance/src/**/*.test.ts',
          ],
          exclude: [...ownProcess, ...long, ...never],
        },
      },
      {
        extends: true,
        test: {
          ...sharedWorkers,
          name: 'tooling',
          include: [
            'tooling/{api-report,bench,boundaries,build,conformance,guard,mutants,packages,prose,requirements,site,stress,suite}/**/*.test.js',
          ],
          exclude: [...long, ...never],
        },
      },
      {
        extends: true,
        // Processes, not threads: some of these measure the CPU time of their process.
        test: { ...sharedWorkers, name: 'long', include: long, exclude: never, pool: 'forks' },
      },
      {
        // These need Chromium, so `pnpm test` leaves them out.
        extends: true,
        test: {
          name: 'browser',
          include: ['tooling/browser/*.test.js'],
          exclude: ['tooling/browser/bundles.test.js', ...never],
        },
      },
    ],
  },
});
