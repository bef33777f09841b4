// `pnpm cluster`: several server processes that share their state in Redis, behind a proxy without affinity.
import { parseArgs } from 'node:util';
import { command, progress, seedOf, wholeNumber } from '@tenon/tool-chaos/command-line.js';
import { scenarios } from './callers/scenarios.js';
import { runCluster } from './run/cluster-run.js';
import { figuresOf, textOf } from './run/report.js';
import { verdictsOf } from './run/verdicts.js';

const names = [...Object.keys(scenarios), 'rates'];

const help = `Usage: pnpm cluster [options]

Starts Redis, server processes that share their state in it, and a proxy that deals each request to the next process.
Clients in every revision, over Streamable HTTP and HTTP+SSE, ours and those of the official SDKs, call the processes
through the proxy. Meanwhile processes are drained, killed and replaced, and Redis is stopped once and restarted once. Half
of the drained processes receive SIGTERM without a warning of the proxy, and so do all of them, in turn, at the end.
Judges that every request ends with its answer or a typed error that a disturbance explains, that nothing is handled or
delivered twice or reaches another caller, that steps of repeated calls and of tasks run once, that every task ends once,
that no DPoP proof is accepted twice, that sessions survive, that rates hold for all processes together, that the restart in turn loses no call, and that memory
stays flat.

  --seconds N     length of the storm (default 60); a quarter of it is the warm-up, 3 to 30 s, and the restart follows
  --clients N     clients (default 200)
  --nodes N       server processes (default 4)
  --seed N        the plan of calls and disturbances; timing differs each time (default: chosen and printed)
  --only NAMES    only these scenarios, separated by commas: ${names.join(', ')}
  --json          figures and verdicts as JSON
  --help          this text

Needs redis-server (Debian: apt-get install redis-server). Exits with 1 when a verdict fails.`;

const options = /** @type {const} */ ({
  seconds: { type: 'string', default: '60' },
  clients: { type: 'string', default: '200' },
  nodes: { type: 'string', default: '4' },
  seed: { type: 'string' },
  only: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
});

await command('cluster', async () => {
  const { values } = parseArgs({ options });
  if (values.help) console.log(help);
  else await main(values);
});

/** @param {ReturnType<typeof parseArgs<{ options: typeof options }>>['values']} values */
async function main(values) {
  const seed = seedOf(values.seed);
  const only = values.only?.split(',') ?? [];
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new RangeError(`--only knows no scenario "${unknown}"; it knows ${names.join(', ')}.`);
  console.error(`seed ${seed}`);
  const findings = await runCluster({
    seed,
    only,
    seconds: wholeNumber(values.seconds, '--seconds', 1),
    clients: wholeNumber(values.clients, '--clients', 1),
    nodes: wholeNumber(values.nodes, '--nodes', 2),
    onProgress: progress,
  });
  progress('');
  const verdicts = verdictsOf(findings);
  const figures = figuresOf(findings);
  if (values.json) console.log(JSON.stringify({ seed, figures, verdicts }, undefined, 2));
  else console.log(`${textOf(figures, verdicts)}\n\nseed ${seed}`);
  if (verdicts.some(({ holds }) => !holds)) process.exitCode = 1;
}
