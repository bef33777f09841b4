// `pnpm chaos:http`: clients and a server over connections that break.
import { command, wholeNumber } from '../suite/command-line.js';
import { runStorm } from './storm/run.js';

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

await command({
  name: 'chaos:http',
  help,
  options: {
    seconds: { type: 'string', default: '60' },
    'warm-up': { type: 'string', default: '20' },
    sessions: { type: 'string', default: '200' },
    stateless: { type: 'string', default: '200' },
    seed: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
  run: ({ sessions, stateless, seconds, 'warm-up': warmUp, ...values }) =>
    runStorm(values, {
      scenario: 'http',
      seconds: wholeNumber(seconds, '--seconds'),
      warmUp: wholeNumber(warmUp, '--warm-up'),
      counts: {
        sessions: wholeNumber(sessions, '--sessions'),
        stateless: wholeNumber(stateless, '--stateless'),
      },
    }),
});
