// `pnpm guard`: compares the cost of a request, in counts that are the same on every machine, with budgets.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { command, progress } from '../suite/command-line.js';
import { measureRuns } from './guard.js';
import { runs } from './runs/runs.js';
import { profileOf } from './verdict/profile.js';
import { changesOf, isBad, remarksOf, tableOf } from './verdict/report.js';
import { verdictsOf } from './verdict/verdicts.js';

const help = `Usage: pnpm guard [options]

Fixed runs of servers and clients, each in processes of its own, on the built packages. Counts, per request: calls of functions
from V8's precise coverage; JSON.parse, JSON.stringify, validations, timers, errors and other objects made; bytes allocated
and kept. Compares them with tooling/guard/budgets.json; tooling/guard/profile.json has the figures by function, so
that the report can name the functions that grew. Bytes are those of unoptimized code: the optimizing compiler would leave some out.

  --only TEXT      only runs whose name contains this
  --update         rewrites the budgets with the measured figures, and prints the changes
  --budgets DIR    the folder of budgets.json and profile.json; default tooling/guard
  --json           figures and verdicts as JSON
  --help           this text

Runs: ${runs.map(({ id }) => id).join(', ')}.
Exits with 1 if a count is over its budget.`;

const options = /** @type {const} */ ({
  only: { type: 'string', default: '' },
  update: { type: 'boolean', default: false },
  budgets: { type: 'string', default: fileURLToPath(new URL('.', import.meta.url)) },
  json: { type: 'boolean', default: false },
});

await command({ name: 'guard', help, options, run: main });

/** @param {import('../suite/command-line.js').Values<typeof options>} values */
async function main({ only = '', update, json, budgets: folder = '' }) {
  const chosen = runs.filter(({ id }) => id.includes(only));
  if (chosen.length === 0) throw new RangeError(`No run is named ${only}.`);
  const budgets = await read(join(folder, 'budgets.json'), { node: process.versions.node, runs: {} });
  const profile = await read(join(folder, 'profile.json'), {});
  const figures = await measureRuns(chosen, { onMeasured: progress });
  progress('');
  const node = process.versions.node;
  const verdicts = chosen.flatMap(({ id }) => {
    const own = figures[id];
    return own === undefined ? [] : verdictsOf(id, own, { budgets, node });
  });
  const remarks = update ? changesOf(verdicts) : remarksOf(verdicts, { figures, profile });
  if (json) console.log(JSON.stringify({ node, figures, verdicts }, undefined, 2));
  else console.log([tableOf(verdicts), remarks].join('\n\n').trimEnd());
  if (update) await rewrite(figures, { folder, budgets, profile });
  else if (verdicts.some(isBad)) process.exitCode = 1;
}

/**
 * @param {Record<string, import('./verdict/figures.js').Figures>} figures
 * @param {{ folder: string, budgets: import('./verdict/verdicts.js').Budgets, profile: import('./verdict/profile.js').Profile }} before
 */
async function rewrite(figures, { folder, budgets, profile }) {
  const isWhole = runs.every(({ id }) => figures[id] !== undefined);
  const sameMajor = budgets.node.split('.')[0] === process.versions.node.split('.')[0];
  if (!isWhole && !sameMajor)
    throw new RangeError('On another major version of Node, update all runs together.');
  /** @type {typeof budgets} */
  const newBudgets = { node: process.versions.node, runs: {} };
  /** @type {typeof profile} */
  const newProfile = {};
  for (const { id } of runs) {
    const own = figures[id];
    const counted = own?.counts ?? budgets.runs[id];
    const profiled = own === undefined ? profile[id] : profileOf(own);
    if (counted !== undefined) newBudgets.runs[id] = counted;
    if (profiled !== undefined) newProfile[id] = profiled;
  }
  await write(join(folder, 'budgets.json'), newBudgets);
  await write(join(folder, 'profile.json'), newProfile);
  console.error('The budgets were rewritten.');
}

/**
 * @template T
 * @param {string} file
 * @param {T} otherwise
 * @returns {Promise<T>}
 */
async function read(file, otherwise) {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return otherwise;
    throw error;
  }
}

/**
 * @param {string} file
 * @param {unknown} value
 */
async function write(file, value) {
  await writeFile(file, `${JSON.stringify(value, undefined, 2)}\n`);
}
