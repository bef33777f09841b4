/**
 * One fixed run: the code that is measured, and the requests that measure it.
 *
 * @typedef {object} Run
 * @property {string} id
 * @property {string} title
 * @property {'http-server' | 'stdio-server' | 'memory' | 'http-client' | 'stdio-client'} subject
 * @property {Lifecycle} lifecycle
 * @property {'call' | 'keyed' | 'list' | 'progress'} workload `keyed`: calls with an idempotency key, of a server with shared state
 * @property {'json' | 'zod'} schema the kind of schema that checks the arguments
 * @property {'at once' | 'later'} answers `at once` if the handler returns its result, `later` if it is an async function
 * @property {number} requests of one batch
 *
 * @typedef {'sessionless' | 'session' | 'stateless'} Lifecycle `stateless` is the newest revision. The others open with a
 *   handshake: in a session or, over HTTP, without one
 */

/** Measured batches. The figure is their median, so that a timer that fires during a batch does not count. */
export const batches = 5;

/** @type {readonly Run[]} */
export const runs = [
  run('http-server-stateless', 'HTTP server, 2026-07-28', {}),
  run('http-server-session', 'HTTP server, in a session', { lifecycle: 'session' }),
  run('http-server-sessionless', 'HTTP server, sessions: false', { lifecycle: 'sessionless' }),
  run('http-server-zod', 'HTTP server, 2026-07-28, zod', { schema: 'zod' }),
  run('http-server-list', 'HTTP server, tools/list of 500', { workload: 'list', requests: 50 }),
  run('http-server-progress', 'HTTP server, 100 progress messages over SSE', {
    lifecycle: 'session',
    workload: 'progress',
    requests: 20,
  }),
  run('http-server-keyed', 'HTTP server, keyed calls in shared state', { workload: 'keyed' }),
  run('stdio-server-stateless', 'stdio server, 2026-07-28', { subject: 'stdio-server' }),
  run('stdio-server-session', 'stdio server, handshake', { subject: 'stdio-server', lifecycle: 'session' }),
  run('stdio-server-async', 'stdio server, handshake, async handler', {
    subject: 'stdio-server',
    lifecycle: 'session',
    answers: 'later',
  }),
  run('stdio-server-progress', 'stdio server, 100 progress messages', {
    subject: 'stdio-server',
    lifecycle: 'session',
    workload: 'progress',
    requests: 20,
  }),
  run('memory-stateless', 'in memory, 2026-07-28', { subject: 'memory' }),
  run('memory-session', 'in memory, handshake', { subject: 'memory', lifecycle: 'session' }),
  run('http-client-stateless', 'HTTP client, 2026-07-28', { subject: 'http-client' }),
  run('http-client-session', 'HTTP client, handshake', { subject: 'http-client', lifecycle: 'session' }),
  run('stdio-client-stateless', 'stdio client, 2026-07-28', { subject: 'stdio-client' }),
  run('stdio-client-session', 'stdio client, handshake', { subject: 'stdio-client', lifecycle: 'session' }),
];

/**
 * @param {string} id
 * @param {string} title
 * @param {Partial<Run>} more
 * @returns {Run}
 */
function run(id, title, more) {
  /** @type {Omit<Run, 'id' | 'title'>} */
  const usual = {
    subject: 'http-server',
    lifecycle: 'stateless',
    workload: 'call',
    schema: 'json',
    answers: 'at once',
    requests: 200,
  };
  return { id, title, ...usual, ...more };
}
