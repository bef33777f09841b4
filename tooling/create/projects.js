/**
 * A project that the check creates.
 *
 * @typedef {object} Planned
 * @property {string} name of its folder
 * @property {string[]} words arguments of create-tenon
 * @property {string[]} scripts of package.json that must succeed
 * @property {Serving} [serving] how it is started for the first call
 * @property {string} [missing] the beginning of the error with which "npm start" ends before the project has its settings
 * @property {boolean} [newestNode] true if its tools need the newest LTS of Node
 *
 * @typedef {{ kind: 'stdio', command: string[] } | Http} Serving
 *
 * @typedef {object} Http
 * @property {'http'} kind
 * @property {string[]} command
 * @property {Record<string, string>} [env]
 * @property {RegExp} ready matches the line that names the address, with the origin as its group
 * @property {boolean} [installed] true if it is served as in an image: without development dependencies and sources
 * @property {boolean} [refuses] true if it answers 401 to callers without a token
 */

const listening = /^Listening at (http:\/\/\S+)\/mcp$/m;
const npm = ['npm', 'run', '--silent'];

/** @type {readonly Planned[]} */
export const projects = [
  {
    name: 'stdio',
    words: ['--template', 'stdio'],
    scripts: ['build', 'test', 'lint'],
    serving: { kind: 'stdio', command: ['node', 'dist/main.js'] },
  },
  { name: 'stdio-without-test', words: ['--template', 'stdio', '--no-test'], scripts: ['build', 'lint'] },
  {
    name: 'http',
    words: ['--template', 'http'],
    scripts: ['build', 'test', 'lint'],
    serving: { kind: 'http', command: [...npm, 'start'], env: { PORT: '0' }, ready: listening },
  },
  {
    name: 'http-auth-docker',
    words: ['--template', 'http', '--auth', '--docker'],
    scripts: ['build', 'test', 'lint'],
    missing: 'Set ISSUER to the URL of your authorization server: copy .env.example to .env',
    serving: {
      kind: 'http',
      command: ['node', 'dist/main.js'],
      env: {
        PORT: '0',
        HOST: '0.0.0.0',
        ALLOWED_HOSTS: '127.0.0.1',
        ISSUER: 'https://login.example.com',
        RESOURCE: 'https://mcp.example.com/mcp',
      },
      ready: listening,
      installed: true,
      refuses: true,
    },
  },
  {
    name: 'workers',
    words: ['--template', 'workers'],
    scripts: ['build', 'test', 'lint'],
    serving: {
      kind: 'http',
      command: [...npm, 'start', '--', '--ip', '127.0.0.1', '--port', '0'],
      ready: /Ready on (http:\/\/\S+)$/m,
    },
    newestNode: true,
  },
  {
    name: 'workers-auth',
    words: ['--template', 'workers', '--auth'],
    scripts: ['build', 'test', 'lint'],
    serving: {
      kind: 'http',
      command: [...npm, 'start', '--', '--ip', '127.0.0.1', '--port', '0'],
      ready: /Ready on (http:\/\/\S+)$/m,
      refuses: true,
    },
    newestNode: true,
  },
  {
    name: 'next-app',
    words: ['--template', 'next'],
    scripts: ['build', 'test', 'lint'],
    serving: {
      kind: 'http',
      command: [...npm, 'start', '--', '--port', '0'],
      ready: /Local:\s+(http:\/\/\S+)$/m,
    },
  },
];

/**
 * @param {string | undefined} only names, separated by commas; undefined for all
 * @throws RangeError for an unknown name
 */
export function chosenProjects(only) {
  if (only === undefined) return projects;
  const names = only.split(',');
  const known = projects.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new RangeError(`--only ${unknown}: there are ${known.join(', ')}.`);
  return projects.filter(({ name }) => names.includes(name));
}
