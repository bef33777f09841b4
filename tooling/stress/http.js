// `pnpm chaos:http`: clients and a server over connections that break.
import { parseArgs } from 'node:util';
import { command, progress, seedOf, wholeNumber } from './command-line.js';
import { figuresOf, textOf } from './storm/report.js';
import { storm } from './storm/storm.js';
import { verdictsOf } from './storm/verdicts.js';

const help = `Usage: pnpm chaos:http [options]

Clients in every revision with streamable HTTP call one server through a proxy that refuses, closes, resets, half-closes,
holds and cuts their connections. Judges that every call ends with its one right answer or a typed error, that streams
that were resumed lost nothing, and that nothing is left: no heap, no socket, no timer. Heap is what objects take
after forced collections; both processes run without the optimizing compiler, which would keep adding code to it.

  --seconds N     length of the storm (default 60)
  --warm-up N     seconds of the same load before the heap is measured first (default 20)
  --sessions N    clients in the revisions with sessions (default 200)
  --stateless N   clients in the revision without (default 200)
  --seed N        the plan of what breaks; the same plan meets other timing each time (default: chosen and printed)
  --json          figures and verdicts as JSON
  --help          this text

Exits with 1 when a verdict fails.`;

const options = /** @type {const} */ ({
  seconds: { type: 'string', default: '60' },
  'warm-up': { type: 'string', default: '20' },
  sessions: { type: 'string', default: '200' },
  stateless: { type: 'string', default: '200' },
  seed: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
});

await command('chaos:http', async () => {
  const { values } = parseArgs({ options });
  if (values.help) console.log(help);
  else await main(values);
});

/** @param {ReturnType<typeof parseArgs<{ options: typeof options }>>['values']} values */
async function main(values) {
  const seed = seedOf(values.seed);
  const given = {
    seed,
    seconds: wholeNumber(values.seconds, '--seconds'),
    warmUp: wholeNumber(values['warm-up'], '--warm-up'),
    sessions: wholeNumber(values.sessions, '--sessions'),
    stateless: wholeNumber(values.stateless, '--stateless'),
    onProgress: progress,
  };
  console.error(`seed ${seed}`);
  const findings = await storm(given);
  progress('');
  const verdicts = verdictsOf(findings);
  const figures = figuresOf(findings);
  if (values.json) console.log(JSON.stringify({ seed, figures, verdicts }, undefined, 2));
  else console.log(`${textOf(figures, verdicts)}\n\nseed ${seed}`);
  if (verdicts.some(({ holds }) => !holds)) process.exitCode = 1;
}
