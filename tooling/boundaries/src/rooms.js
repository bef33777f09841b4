/**
 * The rooms of the workspace and what each may import. A room is a folder under `packages/`, or one of the top-level
 * folders `apps`, `examples` and `tooling`.
 *
 * @typedef {object} Room
 * @property {readonly string[]} imports rooms it may import, besides itself
 * @property {boolean} [coreEntry] its `index.ts` must run without a transport and without Node
 * @property {boolean} [transportEntriesOnly] transports may be imported by {@link transportEntries} alone
 * @property {boolean} [noDependencies] its package.json lists no runtime dependency from outside the workspace
 */

const transports = ['transport-stdio', 'transport-http', 'transport-sse', 'transport-memory'];
const ends = { coreEntry: true, transportEntriesOnly: true };
const inPackages = [
  ...[
    'json-schema',
    'redaction',
    'protocol',
    'session',
    'server',
    'client',
    'host',
    'auth',
    'redis',
    'otel',
    'testing',
  ],
  ...transports,
];

/** @type {ReadonlyMap<string, Room>} */
export const rooms = new Map([
  ['json-schema', { imports: [], coreEntry: true, noDependencies: true }],
  ['redaction', { imports: [], coreEntry: true, noDependencies: true }],
  ['protocol', { imports: ['json-schema'], coreEntry: true, noDependencies: true }],
  ['session', { imports: ['redaction', 'protocol'], coreEntry: true }],
  ['server', { imports: ['json-schema', 'redaction', 'protocol', 'session', ...transports], ...ends }],
  ['client', { imports: ['json-schema', 'redaction', 'protocol', 'session', ...transports], ...ends }],
  ['host', { imports: ['protocol', 'session', 'client'], coreEntry: true }],
  ...transports.map((name) => /** @type {[string, Room]} */ ([name, { imports: ['redaction', 'protocol'] }])),
  // The older HTTP transport is mounted beside the newer one and answers through the same port.
  ['transport-sse', { imports: ['redaction', 'protocol', 'transport-http'] }],
  ['auth', { imports: ['redaction', 'protocol', 'session'] }],
  ['redis', { imports: ['protocol', 'session'] }],
  ['otel', { imports: ['protocol', 'session'] }],
  ['testing', { imports: ['redaction', 'protocol', 'session', 'server', 'client', ...transports] }],
  ['apps', { imports: inPackages }],
  ['examples', { imports: inPackages }],
  ['tooling', { imports: [...inPackages, 'apps', 'examples'] }],
]);

/** The files of `server/src` and `client/src` that carry a transport to the user, as subpaths of the package. */
export const transportEntries = ['stdio.ts', 'http.ts', 'fetch.ts', 'sse.ts', 'memory.ts', 'undici.ts'];

/** Packages from a registry that no bundle for a browser can hold. */
export const needsNode = new Set(['undici']);

/**
 * @param {string} path relative to the root, with forward slashes
 * @returns {string} the room's name; a folder under `packages/` that is not in the table is returned all the same
 */
export function roomOf(path) {
  const [top = '', second = ''] = path.split('/');
  return top === 'packages' ? second : top;
}

/** @param {string} room */
export function isTransport(room) {
  return transports.includes(room);
}
