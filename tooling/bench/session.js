// `pnpm bench:session`: what a call costs in memory and over stdio, as multiples of the least it can cost.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measure } from './session/measure.js';
import { resultsOf, tables } from './session/report.js';
import { sections } from './session/rows.js';

const help = `Usage: pnpm bench:session [options]

Measures the CPU time of one tools/call against a floor: a loop or round trip without any framework. All contenders are
measured in turn, round after round; the median ratio and its range are shown. Absolute times mean nothing across
machines and are not shown.

  --quick          a smoke test: few and short rounds, figures not to be trusted nor judged
  --only TEXT      only sections whose title contains TEXT
  --rounds N       rounds (default 5)
  --cpu-prof DIR   writes a CPU profile of each measured process to DIR; the figures suffer from it
  --json           results as JSON
  --help           this text

Exits with 1 when an answer was wrong or a contender failed. A target that is missed is marked, and is no failure.`;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    rounds: { type: 'string' },
    'cpu-prof': { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(help);
else await main();

async function main() {
  const chosen = sections.filter(({ title }) => title.toLowerCase().includes(values.only.toLowerCase()));
  if (chosen.length === 0) throw new RangeError(`No section is named ${values.only}`);
  const length = values.quick ? { ms: 15, warmUpMs: 15, rounds: 2 } : { ms: 150, warmUpMs: 300, rounds: 5 };
  const rounds = values.rounds === undefined ? length.rounds : Number.parseInt(values.rounds, 10);
  if (!(rounds >= 1)) throw new RangeError('--rounds takes a number from 1');
  const folder = values['cpu-prof'];
  const profiles = folder === undefined ? {} : { profiles: resolve(folder) };
  const cells = await measure(chosen, { ...length, ...profiles, rounds, onRound: progress });
  progress('');
  const results = resultsOf(cells, !values.quick);
  if (values.json) console.log(JSON.stringify({ rounds, results }, undefined, 2));
  else console.log(tables(chosen, results, paint(process.stdout.isTTY)));
  if (values.quick)
    console.error('A smoke test: rounds this short say nothing about speed, nor whether a target is met.');
  if (results.some((result) => result.error !== undefined)) process.exitCode = 1;
}

/** @param {string} text */
function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

/** @param {boolean} colour */
function paint(colour) {
  const enabled = colour && process.env.NO_COLOR === undefined;
  const code = (/** @type {number} */ number) => (/** @type {string} */ text) =>
    enabled ? `\u001b[${number}m${text}\u001b[0m` : text;
  return { good: code(32), bad: code(31), dim: code(2) };
}
