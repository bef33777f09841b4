// `pnpm soak`: calls over every transport at once, with faults, for a while. Everything must be freed afterwards.
import { command, interrupted, wholeNumber } from '../suite/command-line.js';
import { runStorm } from './storm/run.js';

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

await command({
  name: 'soak',
  help,
  options: {
    seconds: { type: 'string', default: '60' },
    'warm-up': { type: 'string' },
    seed: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
  run: ({ 'warm-up': given, ...values }) => {
    const seconds = wholeNumber(values.seconds, '--seconds');
    const warmUp =
      given === undefined ? Math.max(5, Math.ceil(seconds / 3)) : wholeNumber(given, '--warm-up');
    const signal = interrupted('soak: ending early; once more to stop at once');
    return runStorm(values, { scenario: 'soak', seconds, warmUp, signal });
  },
});
