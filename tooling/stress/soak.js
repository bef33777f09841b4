// `pnpm soak`: calls over every transport at once, with faults, for a while. Everything must be freed afterwards.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { command, progress, seedOf, wholeNumber } from './command-line.js';
import { figuresOf, textOf } from './soak/report.js';
import { soak } from './soak/soaking.js';
import { verdictsOf } from './soak/verdicts.js';

const help = `Usage: pnpm soak [options]

Clients in every revision call one server in memory, over bytes in pieces, over the standard streams of children that
are killed, and over HTTP and HTTP+SSE through a proxy that breaks connections: calls, progress, input requests, batches,
cancels, watches. Judges that no answer is lost or doubled, that every caller is connected again afterwards, and that
nothing is left: no conversation, timer or handle, and no more heap than after the warm-up (5 %). Heap is what objects
take after forced collections, without the optimizing compiler, which would keep adding code to it.

  --seconds N   how long (default 60)
  --warm-up N   seconds of the same load before it (default: a third of it, 5 at least)
  --seed N      the plan of what is called and what breaks; timing differs each time (default: chosen and printed)
  --json        figures and verdicts as JSON
  --help        this text

Ctrl-C ends it early, with figures and verdicts of what was; a second one ends it at once. Exits with 1 when a verdict
fails.`;

const options = /** @type {const} */ ({
  seconds: { type: 'string', default: '60' },
  'warm-up': { type: 'string' },
  seed: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
});

await command('soak', async () => {
  const { values } = parseArgs({ options });
  if (values.help) console.log(help);
  else await main(values);
});

/** @param {ReturnType<typeof parseArgs<{ options: typeof options }>>['values']} values */
async function main(values) {
  const seconds = wholeNumber(values.seconds, '--seconds');
  const warmUp =
    values['warm-up'] === undefined
      ? Math.max(5, Math.ceil(seconds / 3))
      : wholeNumber(values['warm-up'], '--warm-up');
  const seed = seedOf(values.seed);
  console.error(`seed ${seed}`);
  const findings = await soak({ seconds, warmUp, seed, signal: interrupted(), onProgress: progress });
  progress('');
  const verdicts = verdictsOf(findings);
  const figures = figuresOf(findings);
  if (values.json) console.log(JSON.stringify({ seed, figures, verdicts }, undefined, 2));
  else console.log(`${textOf(figures, verdicts)}\n\nseed ${seed}`);
  if (verdicts.some(({ holds }) => !holds)) process.exitCode = 1;
}

/** Aborts at the first Ctrl-C; the second one ends the process. */
function interrupted() {
  const controller = new AbortController();
  process.once('SIGINT', () => {
    console.error('soak: ending early; once more to stop at once');
    controller.abort();
  });
  return controller.signal;
}
