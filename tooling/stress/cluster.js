// `pnpm cluster`: several server processes that share their state, behind a proxy without affinity.

import { command, conclude, progress, seedOf, wholeNumber } from '../suite/command-line.js';
import { partHelp, partOf } from '../suite/part.js';
import { scenarios } from './callers/scenarios.js';
import { incidents, runIncident } from './incidents/index.js';
import { runCluster } from './run/cluster-run.js';
import { figuresOf, textOf } from './run/report.js';
import { verdictsOf } from './run/verdicts.js';
import { stateKinds } from './state/state-server.js';
import { lineOf } from './storm/findings/report.js';

/** The scenarios of the storm, and the names of those that are not calls. */
const calls = [...Object.keys(scenarios), 'rates'];
const storm = 'storm';

const help = `Usage: pnpm cluster [options]

Starts a state server, server processes that share their state in it, and a proxy that deals each request to the next
process. Clients in every revision, over Streamable HTTP and HTTP+SSE, ours and those of the official SDKs, call the
processes through the proxy. Meanwhile processes are drained, killed and replaced, and the state is stopped once and
restarted once. Half of the drained processes receive SIGTERM without a warning of the proxy, and so do all of them, in
turn, at the end.
Judges that every request ends with its answer or a typed error that a disturbance explains, that nothing is handled or
delivered twice or reaches another caller, that steps of repeated calls and of tasks run once, that every task ends once,
that no DPoP proof is accepted twice, that sessions survive, that rates hold for all processes together, that the restart in turn loses no call, and that memory
stays flat.
Afterwards runs the incidents one by one, each with processes and a state of its own: a process or the state fails at a
chosen moment. --list prints them.

  --state KIND    redis or postgres (default redis)
  --seconds N     length of the storm (default 60); a quarter of it is the warm-up, 3 to 30 s, and the restart follows
  --clients N     clients of the storm (default 200)
  --nodes N       server processes of the storm (default 4)
  --seed N        the plan of calls and disturbances; timing differs each time (default: chosen and printed)
  --only NAMES    only these, separated by commas: incidents, "${storm}" for the whole storm, or some of its calls
  --part K/N      of the incidents, ${partHelp}
  --list          lists the calls of the storm and the incidents, with one line about each incident
  --json          figures and verdicts as JSON
  --help          this text

Needs redis-server or PostgreSQL (Debian: apt-get install redis-server, postgresql). Exits with 1 when a verdict fails.`;

await command({
  name: 'cluster',
  help,
  options: {
    state: { type: 'string', default: 'redis' },
    seconds: { type: 'string', default: '60' },
    clients: { type: 'string', default: '200' },
    nodes: { type: 'string', default: '4' },
    seed: { type: 'string' },
    only: { type: 'string' },
    part: { type: 'string' },
    list: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
  run: (values) => (values.list ? console.log(listed()) : main(values)),
});

/** @param {Record<'state' | 'seconds' | 'clients' | 'nodes', string> & { seed?: string, only?: string, part?: string, json: boolean }} values */
async function main(values) {
  const seed = seedOf(values.seed);
  const state = stateKinds.find((kind) => kind === values.state);
  if (state === undefined) throw new RangeError(`--state takes ${stateKinds.join(' or ')}.`);
  const chosen = chosenOf(values.only);
  const run = {
    seed,
    state,
    only: chosen.calls,
    seconds: wholeNumber(values.seconds, '--seconds', 1),
    clients: wholeNumber(values.clients, '--clients', 1),
    nodes: wholeNumber(values.nodes, '--nodes', 2),
    onProgress: progress,
  };
  console.error(`seed ${seed}, state in ${state}`);
  const findings = chosen.storm ? await runCluster(run) : undefined;
  progress('');
  const figures = findings && figuresOf(findings);
  const verdicts = findings === undefined ? [] : verdictsOf(findings);
  if (figures !== undefined && !values.json) console.log(`${textOf(figures, verdicts)}\n`);
  for (const incident of partOf(chosen.incidents, values.part)) {
    const found = await runIncident(incident, run);
    progress('');
    verdicts.push(...found);
    if (!values.json) console.log(found.map(lineOf).join('\n'));
  }
  const text = () => `\nseed ${seed}, state in ${state}`;
  conclude({ json: values.json, text, results: { seed, state, figures, verdicts } });
}

/**
 * @param {string | undefined} only
 * @throws RangeError for an unknown name
 */
function chosenOf(only) {
  const names = only?.split(',') ?? [storm, ...incidents.map(({ name }) => name)];
  for (const name of names)
    if (name !== storm && !calls.includes(name) && !incidents.some((incident) => incident.name === name))
      throw new RangeError(`--only knows no "${name}"; --list prints the names.`);
  const chosen = calls.filter((name) => names.includes(name));
  return {
    storm: chosen.length > 0 || names.includes(storm),
    calls: names.includes(storm) ? [] : chosen,
    incidents: incidents.filter(({ name }) => names.includes(name)),
  };
}

function listed() {
  const lines = incidents.map(({ name, about }) => `  ${name.padEnd(26)}${about}`);
  return [`storm, or some of its calls: ${calls.join(', ')}`, 'incidents:', ...lines].join('\n');
}
