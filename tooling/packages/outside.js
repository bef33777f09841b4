import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from './commands.js';

/** @typedef {import('./pack.js').Pack} Pack */

/**
 * @typedef {object} Project a folder outside the workspace that uses the tarballs
 * @property {string} name
 * @property {string} folder
 * @property {string[]} programs files without folder and extension, for every runtime
 * @property {string[]} commands files in `node_modules` that print their `--help`
 * @property {string[]} fetchPrograms programs for runtimes that serve a fetch handler themselves
 */

const compilerOptions = {
  target: 'ES2022',
  module: 'nodenext',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  outDir: 'dist',
  rootDir: 'src',
};

const examples = ['outside/server.ts', 'outside/client.ts', 'outside/http-server.ts', 'recipes/bun-deno.ts'];

/**
 * Writes a project that imports every entry, and has the ten-line examples over stdio and over HTTP.
 *
 * @param {{ root: string, folder: string, packs: Pack[] }} options
 * @returns {Project}
 */
export function writeProject({ root, folder, packs }) {
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest(root, packs)));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  writeFileSync(join(folder, 'src/entries.ts'), entries(packs));
  writeFileSync(join(folder, 'src/over-http.ts'), overHttp);
  writeFileSync(join(folder, 'src/over-fetch.ts'), overFetch);
  for (const file of examples)
    copyFileSync(join(root, 'examples/src', file), join(folder, 'src', basename(file)));
  const programs = ['entries', 'client', 'over-http'];
  const commands = packs.flatMap(({ name, bins }) => bins.map((bin) => `${name}/${bin}`));
  return { name: 'outside', folder, programs, commands, fetchPrograms: ['over-fetch'] };
}

/**
 * Installs a project with npm: the tarballs from their files, dependencies from the registry.
 *
 * @param {Project} project
 */
export async function install({ folder }) {
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline'];
  const { ok, output } = await run('npm', args, { cwd: folder });
  if (!ok) throw new Error(`npm ${args.join(' ')}\n${output}`);
  return '';
}

/**
 * Compiles a project.
 *
 * @param {Project} project
 * @param {string[]} flags in addition to those of its tsconfig.json
 */
export async function compile({ folder }, flags = []) {
  const args = ['node_modules/typescript/bin/tsc', '-p', '.', ...flags];
  const { ok, output } = await run(process.execPath, args, { cwd: folder });
  if (!ok) throw new Error(`tsc ${flags.join(' ')}\n${output}`);
  return '';
}

/**
 * Runs a program, which must print something and end by itself.
 *
 * @param {Pick<Project, 'folder'>} project
 * @param {string} file in the folder
 * @param {{ program: string, args: string[], words?: string[] }} how the runtime, its arguments, and those of the program
 * @returns {Promise<string>} the start of the printed text, on one line
 */
export async function runProgram({ folder }, file, { program, args, words = [] }) {
  const { ok, output, stdout } = await run(program, [...args, file, ...words], {
    cwd: folder,
    timeout: 60_000,
  });
  if (!ok || stdout.trim() === '') throw new Error(output === '' ? 'It printed nothing.' : output);
  return stdout.trim().replace(/\s+/g, ' ').slice(0, 120);
}

/**
 * @param {string} root
 * @param {Pack[]} packs
 */
function manifest(root, packs) {
  const tool = (/** @type {string} */ name) =>
    JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version;
  const zod = JSON.parse(readFileSync(join(root, 'examples/node_modules/zod/package.json'), 'utf8')).version;
  return {
    private: true,
    type: 'module',
    dependencies: { ...tarballsOf(packs), zod },
    devDependencies: { '@types/node': tool('@types/node'), typescript: tool('typescript') },
    overrides: Object.fromEntries(packs.map(({ name }) => [name, `$${name}`])),
  };
}

/**
 * @param {Pack[]} packs
 * @returns {Record<string, string>} the path of each package's tarball, by package name
 */
export function tarballsOf(packs) {
  return Object.fromEntries(packs.map(({ name, tarball }) => [name, `file:${tarball}`]));
}

/**
 * Returns a program that imports every entry of every package.
 *
 * @param {Pack[]} packs
 */
function entries(packs) {
  const names = packs.flatMap((pack) => pack.entries);
  const imports = names.map((name, index) => `import * as entry${index} from '${name}';`);
  const all = names.map((_, index) => `entry${index}`).join(', ');
  return `${imports.join('\n')}\nconsole.log(\`\${[${all}].length} entries\`);\n`;
}

/** Calls the tool in the newest revision and in a revision with sessions. */
const calls = `
const answers: string[] = [];
for (const revisions of [undefined, ['2025-11-25']]) {
  const client = await connect(url, { info: { name: 'outside', version: '1.0.0' }, ...(revisions && { revisions }) });
  const { content } = await client.callTool('greet', { name: 'world' });
  answers.push(client.revision + ' ' + JSON.stringify(content));
  await client.close();
}
console.log(answers.join(', '));
if (answers.some((answer) => !answer.includes('Hello, world!'))) process.exitCode = 1;
`;

/** Connects to the ten-line HTTP server. */
const overHttp = `import { connect } from '@tenon/mcp-client';

process.env.PORT = '0';
const { serving } = await import('./http-server.js');
const { url } = serving;
${calls}
await serving.close();
`;

/** Connects to the fetch handler of the recipe for Bun and Deno, behind the HTTP server of the runtime. */
const overFetch = `import { connect } from '@tenon/mcp-client';
import app from './bun-deno.js';

interface Serving { readonly port: number; readonly stop: () => unknown }
const { Bun, Deno } = globalThis as any;
const options = { hostname: '127.0.0.1', port: 0 };
function serve(): Serving {
  if (Bun) {
    const server = Bun.serve({ ...options, fetch: app.fetch });
    return { port: server.port, stop: () => server.stop(true) };
  }
  const server = Deno.serve({ ...options, onListen() {} }, app.fetch);
  return { port: server.addr.port, stop: () => server.shutdown() };
}
const { port, stop } = serve();
const url = 'http://127.0.0.1:' + port + '/mcp';
${calls}
await stop();
`;
