/**
 * The packages of the workspace, and the packages that each may import. The top-level folders `apps`, `examples` and
 * `tooling` count as one package each.
 *
 * @typedef {object} PackageRules
 * @property {readonly string[]} imports names of the packages it may import
 * @property {boolean} [coreEntry] true if its `index.ts` must run without a transport and without Node
 * @property {boolean} [transportEntriesOnly] true if only the {@link transportEntries} may import transports
 * @property {boolean} [noDependencies] true if its package.json may list only packages of the workspace as dependencies
 */

const transports = ['transport-stdio', 'transport-http', 'transport-sse'];
const ends = { coreEntry: true, transportEntriesOnly: true };
const inPackages = [
  ...[
    'foundation',
    'json-schema',
    'protocol',
    'session',
    'state',
    'state-postgres',
    'server',
    'client',
    'host',
    'auth',
    'state-redis',
    'skills',
    'tasks',
    'idempotency',
    'openapi',
    'otel',
    'mcp-apps',
    'config',
    'testing',
    'workbench',
    'cli',
    'create-tenon',
  ],
  ...transports,
];
/** The packages that the workbench may use: all but programs. */
const libraries = inPackages.filter((name) => !['workbench', 'cli', 'create-tenon'].includes(name));

/** @type {ReadonlyMap<string, PackageRules>} */
export const packages = new Map([
  ['foundation', { imports: [], coreEntry: true, noDependencies: true }],
  ['json-schema', { imports: [], coreEntry: true, noDependencies: true }],
  ['protocol', { imports: ['foundation', 'json-schema'], coreEntry: true, noDependencies: true }],
  ['session', { imports: ['foundation', 'protocol'], coreEntry: true }],
  ['state', { imports: ['foundation', 'protocol'], coreEntry: true, noDependencies: true }],
  // Its tests run the conformance kit of `testing`.
  ['state-postgres', { imports: ['foundation', 'protocol', 'state', 'testing'] }],
  [
    'server',
    { imports: ['foundation', 'json-schema', 'protocol', 'session', 'state', ...transports], ...ends },
  ],
  ['client', { imports: ['foundation', 'json-schema', 'protocol', 'session', ...transports], ...ends }],
  ['config', { imports: ['foundation', 'protocol'] }],
  // Its tests serve servers, and open apps.
  [
    'host',
    {
      imports: [
        'foundation',
        'json-schema',
        'protocol',
        'session',
        'state',
        'client',
        'auth',
        'skills',
        'config',
        'server',
        'mcp-apps',
        'testing',
      ],
      coreEntry: true,
    },
  ],
  ...transports.map(
    (name) => /** @type {[string, PackageRules]} */ ([name, { imports: ['foundation', 'protocol'] }]),
  ),
  ['transport-http', { imports: ['foundation', 'protocol', 'state'] }],
  // HTTP+SSE endpoints are mounted beside Streamable HTTP and answer through the same port.
  ['transport-sse', { imports: ['foundation', 'protocol', 'state', 'transport-http'] }],
  ['auth', { imports: ['foundation', 'protocol', 'session', 'state'] }],
  // Its tests run the conformance kit of `testing`.
  ['state-redis', { imports: ['foundation', 'protocol', 'state', 'testing'] }],
  // The extension MCP Apps; `apps` is the folder of programs.
  ['mcp-apps', { imports: ['foundation', 'protocol', 'server', 'client'] }],
  // An extension: it uses what any package outside of this workspace may use.
  ['skills', { imports: ['foundation', 'protocol', 'server', 'client'] }],
  ['tasks', { imports: ['foundation', 'protocol', 'session', 'state', 'server', 'client', 'testing'] }],
  // Its tests trace the work of tasks.
  ['otel', { imports: ['foundation', 'protocol', 'server', 'client', 'state', 'tasks', 'testing'] }],
  // Its tests use the rigs of the server and the client.
  ['idempotency', { imports: ['foundation', 'protocol', 'state', 'server', 'client', 'testing'] }],
  // Its tests call tools through a client.
  ['openapi', { imports: ['foundation', 'json-schema', 'protocol', 'auth', 'server', 'client'] }],
  [
    'testing',
    {
      imports: [
        'foundation',
        'json-schema',
        'protocol',
        'session',
        'state',
        'server',
        'client',
        ...transports,
      ],
    },
  ],
  ['workbench', { imports: libraries }],
  // Programs.
  ['cli', { imports: [...libraries, 'workbench'] }],
  ['create-tenon', { imports: [] }],
  ['apps', { imports: inPackages }],
  ['examples', { imports: inPackages }],
  ['tooling', { imports: [...inPackages, 'apps', 'examples'] }],
]);

/** The files of `server/src` and `client/src` that may import transports. */
export const transportEntries = [
  'stdio.ts',
  'http.ts',
  'fetch.ts',
  'sse.ts',
  'memory.ts',
  'metrics.ts',
  'undici.ts',
];

/** Packages of the registry that need Node, so no bundle for a browser may contain them. */
export const needsNode = new Set(['undici']);

/**
 * @param {string} path relative to the root, with forward slashes
 * @returns {string} the folder's name under `packages/`, or the top-level folder; it may be missing in {@link packages}
 */
export function packageOf(path) {
  const [top = '', second = ''] = path.split('/');
  return top === 'packages' ? second : top;
}

/** @param {string} name */
export function isTransport(name) {
  return transports.includes(name);
}
