// What a minimal server and a minimal client weigh once bundled, minified and gzipped: the files that are loaded until the
// first call is answered, without schema libraries; and one file that holds everything, as users deploy it. Each bundle
// is run, so that what counts as loaded is what was loaded.
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
 * @typedef {object} Task
 * @property {'server' | 'client'} part
 * @property {ContenderName} contender
 */

/** @type {Record<'server' | 'client', import('./results.js').FootprintRow>} */
const rows = {
  server: { id: 'bundle-server', title: 'Minimal server for fetch, bundled', unit: 'bytes' },
  client: { id: 'bundle-client', title: 'Minimal client over HTTP, bundled', unit: 'bytes' },
};
/** @type {Record<'server' | 'client', import('./results.js').FootprintRow>} */
const fileRows = {
  server: { id: 'file-server', title: 'Server for fetch with zod, one file', unit: 'bytes' },
  client: { id: 'file-client', title: 'Client over HTTP, one file', unit: 'bytes' },
};
const targets = { server: 51_200, client: 40_960 };
/** Why the target is missed, and how far at most: bundles must not grow unnoticed behind a reason. */
const page = 'docs/decisions/020-sizes-against-their-targets.md';
const known = { server: { page, most: 87_040 }, client: { page, most: 70_656 } };
const filePage = 'docs/decisions/019-bundles.md';
/** @type {Record<'server' | 'client', { target: number, known?: import('./results.js').Known }>} */
const fileGoals = {
  server: { target: 87_040, known: { page: filePage, most: 123_904 } },
  client: { target: 112_640 },
};

/** @type {readonly Task[]} */
const tasks = [
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

/** What a program brings along for reasons of its own, or not at all. */
const schemaLibraries = [
  ...['zod', 'zod/*', 'valibot', 'arktype', 'ajv', 'ajv/*', 'ajv-formats'],
  ...['@std-uritemplate/std-uritemplate', 'uri-template-matcher', 'uri-templates'],
];
/** What a framework uses only where it is installed. */
const optional = ['effect', 'sury', '@valibot/to-json-schema'];

/** @type {import('./results.js').FootprintPart} */
export const bundle = {
  rows: [...Object.values(rows), ...Object.values(fileRows)],
  async measure({ wants, onProgress }) {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'tenon-bundles-')));
    const jobs = tasks.flatMap((task) => [
      { row: rows[task.part], task, measureOne },
      { row: fileRows[task.part], task, measureOne: measureFile },
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
 * Lets bundles find what stayed outside them: dependencies of the bench, then those of its dependencies.
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
    const later = bare.later > 0 ? `; ${kilobytes(bare.later)} more in chunks loaded when needed` : '';
    const note = `schema libraries external; ${kilobytes(whole.loaded)} with what it loads of them inside${later}`;
    return resultOf(rows[part], { contender, value: bare.loaded, ...goal, note });
  } catch (error) {
    return failureOf(rows[part], { contender, ...goal }, error);
  }
}

/**
 * @param {Task} task
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
 * @param {string} folder that the bundle goes to
 * @param {{ external: readonly string[], splitting?: boolean }} how what stays outside, and whether what is needed later is
 *   a file of its own
 * @returns {Promise<{ loaded: number, later: number }>} gzipped bytes loaded until the first call is answered, in the
 *   lifecycle that loads most, and the rest
 */
async function weigh({ part, contender }, folder, { external, splitting = true }) {
  const program = `${part}-${contender}.js`;
  await build({
    entryPoints: [fileURLToPath(new URL(`programs/${program}`, import.meta.url))],
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
    const files = await loadedFiles(`run-${part}.js`, [join(folder, program), lifecycle]);
    loads.push(sumOf([...sizes].filter(([file]) => files.has(file)).map(([, size]) => size)));
  }
  const loaded = Math.max(...loads);
  return { loaded, later: sumOf([...sizes.values()]) - loaded };
}

/** @param {Task} task */
function lifecyclesOf({ part, contender }) {
  if (part === 'client') return ['session'];
  return (contenders[contender].takes['http-server'] ?? []).filter(
    (lifecycle) => lifecycle !== 'sessionless',
  );
}

/** @param {number[]} values */
const sumOf = (values) => values.reduce((sum, value) => sum + value, 0);

/** @param {number} bytes */
const kilobytes = (bytes) => `${(bytes / 1_024).toFixed(1)} kB`;
