// The size of minimal servers and of a minimal client, bundled, minified and gzipped: the files loaded until the first call is
// answered, without schema libraries; and one file with everything, as users deploy it. Each bundle runs, which shows the
// loaded files.
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { contenders } from '../matrix/contenders.js';
import { gzippedSizes, loadedFiles } from './bundle-files.js';
import { inLanes } from './lanes.js';
import { failureOf, resultOf } from './results.js';

/** @typedef {import('./results.js').ContenderName} ContenderName */

/**
 * @typedef {'stdio' | 'server' | 'client'} Part
 * @typedef {Exclude<Part, 'stdio'>} FilePart
 *
 * @typedef {object} Task
 * @property {Part} part
 * @property {ContenderName} contender
 */

/** @type {Record<Part, import('./results.js').FootprintRow>} */
const rows = {
  stdio: { id: 'bundle-stdio', title: 'Minimal server over stdio, bundled', unit: 'bytes' },
  server: { id: 'bundle-server', title: 'Minimal server for fetch, bundled', unit: 'bytes' },
  client: { id: 'bundle-client', title: 'Minimal client over HTTP, bundled', unit: 'bytes' },
};
/** @type {Record<FilePart, import('./results.js').FootprintRow>} */
const fileRows = {
  server: { id: 'file-server', title: 'Server for fetch with zod, one file', unit: 'bytes' },
  client: { id: 'file-client', title: 'Client over HTTP, one file', unit: 'bytes' },
};
const targets = { stdio: 46_080, server: 51_200, client: 40_960 };
/** The page with the reasons for missed targets. Each has a limit too, so that bundles do not grow unnoticed. */
const page = 'docs/decisions/020-sizes-against-their-targets.md';
const known = {
  stdio: { page, most: 70_656 },
  server: { page, most: 82_944 },
  client: { page, most: 69_120 },
};
const filePage = 'docs/decisions/019-bundles.md';
/** @type {Record<FilePart, { target: number, known?: import('./results.js').Known }>} */
const fileGoals = {
  server: { target: 87_040, known: { page: filePage, most: 123_904 } },
  client: { target: 112_640 },
};

/** @type {readonly Task[]} */
const tasks = [
  { part: 'stdio', contender: 'tenon' },
  { part: 'stdio', contender: 'official-1' },
  { part: 'stdio', contender: 'official-2' },
  { part: 'stdio', contender: 'tmcp' },
  { part: 'stdio', contender: 'fastmcp' },
  { part: 'server', contender: 'tenon' },
  { part: 'server', contender: 'official-1' },
  { part: 'server', contender: 'official-2' },
  { part: 'server', contender: 'tmcp' },
  { part: 'server', contender: 'mcp-lite' },
  { part: 'server', contender: 'fastmcp' },
  { part: 'client', contender: 'tenon' },
  { part: 'client', contender: 'official-1' },
  { part: 'client', contender: 'official-2' },
];

/** Libraries that a program chooses itself. */
const schemaLibraries = [
  ...['zod', 'zod/*', 'valibot', 'arktype', 'ajv', 'ajv/*', 'ajv-formats'],
  ...['@std-uritemplate/std-uritemplate', 'uri-template-matcher', 'uri-templates'],
];
/** Packages that a framework uses only if they are installed. */
const optional = ['effect', 'sury', '@valibot/to-json-schema'];

/** @type {import('./results.js').FootprintPart} */
export const bundle = {
  rows: [...Object.values(rows), ...Object.values(fileRows)],
  async measure({ wants, onProgress }) {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'tenon-bundles-')));
    const jobs = tasks.flatMap((task) => [
      { row: rows[task.part], task, measureOne },
      ...(task.part === 'stdio' ? [] : [{ row: fileRows[task.part], task, measureOne: measureFile }]),
    ]);
    const wanted = jobs.filter(({ row }) => wants(row));
    try {
      await makeResolvable(folder);
      return await inLanes(wanted, availableParallelism(), ({ row, task, measureOne: measure }) => {
        onProgress(`${row.title}: bundling that of ${contenders[task.contender].label}`);
        return measure(task, join(folder, 'bundles'));
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/**
 * Links the packages that bundles import from outside: dependencies of the bench, then those of its dependencies.
 *
 * @param {string} folder
 */
async function makeResolvable(folder) {
  const installed = fileURLToPath(new URL('../node_modules', import.meta.url));
  await mkdir(join(folder, 'bundles'));
  await symlink(join(installed, '.pnpm/node_modules'), join(folder, 'node_modules'));
  await symlink(installed, join(folder, 'bundles/node_modules'));
}

/**
 * @param {Task} task
 * @param {string} folder
 */
async function measureOne(task, folder) {
  const { part, contender } = task;
  const goal = contender === 'tenon' ? { target: targets[part], known: known[part] } : {};
  try {
    const place = join(folder, `${part}-${contender}`);
    const bare = await weigh(task, place, { external: ['undici', ...schemaLibraries] });
    const whole = await weigh(task, `${place}-whole`, { external: ['undici'] });
    const later = bare.later > 0 ? `; ${kibibytes(bare.later)} more in chunks loaded when needed` : '';
    const note = `schema libraries external; ${kibibytes(whole.loaded)} with what it loads of them inside${later}`;
    return resultOf(rows[part], { contender, value: bare.loaded, ...goal, note });
  } catch (error) {
    return failureOf(rows[part], { contender, ...goal }, error);
  }
}

/**
 * @param {Task & { part: FilePart }} task
 * @param {string} folder
 */
async function measureFile(task, folder) {
  const { part, contender } = task;
  const goal = contender === 'tenon' ? fileGoals[part] : {};
  try {
    const place = join(folder, `${part}-${contender}-file`);
    const { loaded } = await weigh(task, place, { external: [], splitting: false });
    return resultOf(fileRows[part], { contender, value: loaded, ...goal, note: 'nothing external' });
  } catch (error) {
    return failureOf(fileRows[part], { contender, ...goal }, error);
  }
}

/**
 * @param {Task} task
 * @param {string} folder of the bundle
 * @param {{ external: readonly string[], splitting?: boolean }} how the packages outside the bundle, and whether code that is
 *   loaded later is in files of its own
 * @returns {Promise<{ loaded: number, later: number }>} the gzipped bytes loaded until the first call is answered, in the
 *   lifecycle that loads most, and the other bytes
 */
async function weigh({ part, contender }, folder, { external, splitting = true }) {
  // The bundled program is the one that start-up measures.
  const program = `${contender}.js`;
  await build({
    entryPoints: [fileURLToPath(new URL(`programs/${part}/${program}`, import.meta.url))],
    outdir: folder,
    bundle: true,
    splitting,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    external: [...optional, ...external],
    legalComments: 'none',
    logLevel: 'silent',
  });
  const sizes = await gzippedSizes(folder);
  const loads = [];
  for (const lifecycle of lifecyclesOf({ part, contender })) {
    const files = await loadedFiles(`${part}/run.js`, [join(folder, program), lifecycle]);
    loads.push(sumOf([...sizes].filter(([file]) => files.has(file)).map(([, size]) => size)));
  }
  const loaded = Math.max(...loads);
  return { loaded, later: sumOf([...sizes.values()]) - loaded };
}

/** @param {Task} task */
function lifecyclesOf({ part, contender }) {
  if (part === 'client') return ['session'];
  const { takes } = contenders[contender];
  const known = takes[part === 'stdio' ? 'stdio-server' : 'http-server'] ?? [];
  return known.filter((lifecycle) => lifecycle !== 'sessionless');
}

/** @param {number[]} values */
const sumOf = (values) => values.reduce((sum, value) => sum + value, 0);

/** @param {number} bytes */
const kibibytes = (bytes) => `${(bytes / 1_024).toFixed(1)} KiB`;
