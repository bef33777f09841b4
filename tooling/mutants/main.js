// `pnpm mutants`: puts known bugs into the sources one at a time, and checks that the tests notice.
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { runTests } from './running.js';
import { mutants } from './table/index.js';

/** @typedef {import('./running.js').Outcome} Outcome */

const help = `Usage: pnpm mutants [options]

Puts bugs into the sources of the packages, one at a time and only in memory, and runs the tests that must notice. The
bugs are a table in tooling/mutants/table. Exits with 1 when fewer than ${'95 %'} are caught, when a bug cannot be put
where it belongs any more, or when the tests fail without one.

  --only TEXT   mutants whose id has this in it; may be given several times
  --sample N    only so many, spread over the table
  --list        the ids, and the files they change
  --json        outcomes as JSON
  --help        this text`;

const options = /** @type {const} */ ({
  only: { type: 'string', multiple: true },
  sample: { type: 'string' },
  list: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
});

/** The share of mutants that tests must catch. */
const wanted = 0.95;

try {
  const { values } = parseArgs({ options });
  const chosen = sampled(selected(values.only ?? []), values.sample);
  if (values.help) console.log(help);
  else if (values.list) console.log(chosen.map(({ id, file }) => `${id.padEnd(56)}${file}`).join('\n'));
  else await main(chosen, values.json);
} catch (error) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
  const isUsage = error instanceof RangeError || code?.startsWith('ERR_PARSE_ARGS');
  console.error(`mutants: ${message}${isUsage ? ' See --help.' : ''}`);
  process.exitCode = isUsage ? 2 : 1;
}

/** @param {readonly string[]} parts */
function selected(parts) {
  const found = mutants.filter(({ id }) => parts.length === 0 || parts.some((part) => id.includes(part)));
  if (found.length === 0) throw new RangeError(`No mutant has ${parts.join(' or ')} in its id.`);
  return found;
}

/**
 * @template T
 * @param {readonly T[]} all
 * @param {string | undefined} sample
 */
function sampled(all, sample) {
  if (sample === undefined) return all;
  if (!/^[1-9]\d{0,5}$/.test(sample)) throw new RangeError('--sample takes a whole number from 1.');
  const step = Math.max(1, all.length / Number(sample));
  return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

/**
 * @param {readonly import('./mutation.js').Mutant[]} chosen
 * @param {boolean} json
 */
async function main(chosen, json) {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort(new Error('interrupted')));
  tell('the tests without a mutant');
  const tests = [...new Set(chosen.flatMap((mutant) => mutant.tests))];
  const plain = await runTests(undefined, tests, controller.signal);
  if (plain.verdict !== 'survived') throw new Error(`The tests fail without a mutant: ${plain.test}`);
  const outcomes = await allOutcomes(chosen, controller.signal);
  tell('');
  const caught = outcomes.filter(({ verdict }) => verdict === 'caught').length;
  if (json) console.log(JSON.stringify(outcomes, undefined, 2));
  else console.log(textOf(outcomes, caught));
  const broken = outcomes.some(({ verdict }) => verdict === 'broken');
  if (broken || caught < wanted * outcomes.length) process.exitCode = 1;
}

/**
 * @param {readonly import('./mutation.js').Mutant[]} chosen
 * @param {AbortSignal} signal
 */
async function allOutcomes(chosen, signal) {
  /** @type {Outcome[]} */
  const outcomes = [];
  let next = 0;
  const worker = async () => {
    for (let mutant = chosen[next++]; mutant !== undefined; mutant = chosen[next++]) {
      tell(`${outcomes.length} of ${chosen.length}: ${mutant.id}`);
      outcomes.push({ id: mutant.id, ...(await runTests(mutant, mutant.tests, signal)) });
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, worker));
  return outcomes;
}

/**
 * @param {readonly Outcome[]} outcomes
 * @param {number} caught
 */
function textOf(outcomes, caught) {
  const lines = outcomes
    .filter(({ verdict }) => verdict !== 'caught')
    .map(({ id, verdict, test }) => `${verdict.padEnd(10)}${id}${test === undefined ? '' : `: ${test}`}`);
  const share = ((100 * caught) / outcomes.length).toFixed(1);
  return [...lines, `${caught} of ${outcomes.length} mutants caught (${share} %)`].join('\n');
}

/** @param {string} line */
function tell(line) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}`);
  else if (line !== '') console.error(line);
}
