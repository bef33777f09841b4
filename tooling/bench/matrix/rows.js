/**
 * A measurement, and the target for Tenon.
 *
 * @typedef {import('./wires.js').Lifecycle} Lifecycle
 *
 * @typedef {object} Row
 * @property {string} id
 * @property {string} title
 * @property {string} floor describes the work that counts as 1
 * @property {'http-server' | 'stdio-server' | 'caller'} kind a server driven over HTTP or over pipes, or a process that calls
 * @property {Lifecycle} lifecycle
 * @property {'call' | 'list' | 'payload' | 'progress'} workload
 * @property {readonly number[]} depths requests in flight
 * @property {number} target the most times the floor's CPU per request that Tenon may take
 * @property {'memory' | 'stdio' | 'http'} [over] the transport of a process that calls
 *
 * @typedef {Pick<Row, 'id' | 'title' | 'lifecycle' | 'target'> & Partial<Row>} Given
 */

const handler = 'a bare node:http handler: parses, calls, stringifies';
const loop = 'a bare loop over lines: parses, calls, stringifies, writes once per chunk';
const callers = {
  memory: { floor: 'a JSON round trip of request and answer', depths: [1] },
  stdio: { floor: 'a raw loop over lines', depths: [64] },
  http: { floor: 'a raw undici pool', depths: [64] },
};

/** @type {readonly Row[]} */
export const rows = [
  http({ id: 'http-sessionless', title: 'Call without a session', lifecycle: 'sessionless', target: 1.25 }),
  http({ id: 'http-session', title: 'Call in a session', lifecycle: 'session', target: 1.3 }),
  http({ id: 'http-stateless', title: 'Call, 2026-07-28', lifecycle: 'stateless', target: 1.4 }),
  stdio({ id: 'stdio-session', title: 'Call over stdio, handshake', lifecycle: 'session', target: 1.5 }),
  stdio({ id: 'stdio-stateless', title: 'Call over stdio, 2026-07-28', lifecycle: 'stateless', target: 1.5 }),
  http({
    id: 'sse-progress',
    title: '1,000 progress messages over SSE',
    floor: 'a bare node:http handler that writes each message as an event',
    lifecycle: 'session',
    workload: 'progress',
    depths: [1],
    target: 1.6,
  }),
  stdio({
    id: 'stdio-progress',
    title: '1,000 progress messages over stdio',
    floor: 'a bare loop over lines: stringifies each message, writes once per chunk',
    lifecycle: 'session',
    workload: 'progress',
    depths: [1],
    target: 1.6,
  }),
  http({
    id: 'http-list',
    title: 'tools/list of 500',
    floor: `${handler} the 500 tools each time`,
    lifecycle: 'sessionless',
    workload: 'list',
    depths: [16],
    target: 0.7,
  }),
  http({
    id: 'http-payload',
    title: '1 MB in and out',
    lifecycle: 'sessionless',
    workload: 'payload',
    depths: [4],
    target: 1.05,
  }),
  ...caller('memory', { id: 'memory', title: 'In memory', target: 1.5 }),
  ...caller('http', { id: 'client-http', title: 'Client over HTTP', target: 2 }),
  ...caller('stdio', { id: 'client-stdio', title: 'Client over stdio', target: 2 }),
];

/**
 * @param {Given} given
 * @returns {Row}
 */
function http(given) {
  return { kind: 'http-server', floor: handler, workload: 'call', depths: [1, 16, 64], ...given };
}

/**
 * @param {Given} given
 * @returns {Row}
 */
function stdio(given) {
  return http({ kind: 'stdio-server', floor: loop, ...given });
}

/**
 * Returns two rows: one for a handshake revision and one for the newest.
 *
 * @param {keyof typeof callers} over
 * @param {{ id: string, title: string, target: number }} given
 * @returns {Row[]}
 */
function caller(over, { id, title, target }) {
  const both = { kind: /** @type {const} */ ('caller'), over, ...callers[over], target };
  return [
    http({ ...both, id: `${id}-session`, title: `${title}, handshake`, lifecycle: 'session' }),
    http({ ...both, id: `${id}-stateless`, title: `${title}, 2026-07-28`, lifecycle: 'stateless' }),
  ];
}
