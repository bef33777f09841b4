import { mutantsOf } from '../mutation.js';

export const transportSseMutants = mutantsOf('transport-sse', [
  {
    name: 'end-before-responses-to-posts',
    file: 'client/sse-connection.ts',
    find: 'if (!isWaiting()) return;',
    replace: 'return;',
    tests: ['client/sse-connection.test.ts'],
  },
  {
    name: 'session-of-another-caller',
    file: 'server/sse-sessions.ts',
    find: 'session?.owner === ownerOf(principal) ? session : undefined',
    replace: 'session',
    tests: ['server/sse-principals.test.ts'],
  },
  {
    name: 'sessions-one-more',
    file: 'server/sse-sessions.ts',
    find: 'this.#table.size >= sessions',
    replace: 'this.#table.size > sessions',
    tests: ['server/sse-bounds.test.ts'],
  },
  {
    name: 'sessions-per-caller-never-freed',
    file: 'server/sse-sessions.ts',
    find: '?? 1) - 1;',
    replace: '?? 1);',
    tests: ['server/sse-bounds.test.ts'],
  },
  {
    name: 'session-never-expires',
    file: 'server/sse-sessions.ts',
    find: ' || session.hasExpired(now)',
    replace: '',
    tests: ['server/sse-principals.test.ts', 'server/sse-bounds.test.ts'],
  },
  {
    name: 'lifetime-not-applied',
    file: 'server/sse-sessions.ts',
    find: 'now - session.openedAt >= sessionLifetime || ',
    replace: '',
    tests: ['server/sse-bounds.test.ts', 'server/sse-mount.test.ts'],
  },
  {
    name: 'other-events-are-messages',
    file: 'client/sse-stream.ts',
    find: "else if (event === 'message' && data !== '')",
    replace: "else if (data !== '')",
    tests: ['client/sse-connection.test.ts', 'client/open-sse.test.ts'],
  },
]);
