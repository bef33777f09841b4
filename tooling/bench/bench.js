// `pnpm bench`: the cost of Tenon and other frameworks, as multiples of the same work without a framework.
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { command } from '../suite/command-line.js';
import { measureCluster } from './cluster/index.js';
import { clusterResultsOf } from './cluster/results.js';
import { clusterSheet } from './cluster/sheet.js';
import { measureFootprint } from './footprint/index.js';
import { rows } from './matrix/rows.js';
import { busyShare } from './processes/busy.js';
import { closeAll } from './processes/measured-process.js';
import { newestNode, ownNode } from './processes/nodes.js';
import { pinThisProcess, unpinThisProcess } from './processes/pinning.js';
import { aboutLines, aboutThis, warningsOf } from './report/about.js';
import { jsonOf, writeReport } from './report/output.js';
import { Printer } from './report/printer.js';
import { resultsOf } from './report/results.js';
import { footprintSheet, rowSheet } from './report/sheets.js';
import { verdictLines } from './report/verdict-lines.js';
import { isFailure, verdictsOf } from './report/verdicts.js';
import { fullPlan, shortPlan } from './rounds/plan.js';
import { measureRow } from './rounds/row-rounds.js';

const help = `Usage: pnpm bench [options]

Measures the CPU per request and the throughput of servers and clients made with Tenon and with other frameworks, and of a
floor: the same work without any framework. In each round all contenders run in turn; the tables show the ratio to the
floor of the same round, its median and its spread. Then clusters: Tenon and tmcp in 1, 2 and 4 processes that share sessions in
Redis, beside one process with sessions in memory. Then their footprint: memory, start-up, bundles, packages. Takes about eight
minutes on two cores.

The rows of clusters (--only cluster) need redis-server. The driver sends each request to the next process, without a proxy.
Redis and the driver share one core, and all processes share the others. On two cores that is a single one, so several
processes cannot be faster than one: there the CPU per request and p99 count, not the throughput.

  --full         longer rounds, five of them, and every contender at every number of requests in flight
  --rounds N     rounds (default 3, with --full 5)
  --only TEXT    only rows whose id or title contains TEXT
  --json         figures and verdicts as JSON, and nothing else, on standard output
  --write        writes docs/bench, and the chart between the marks of the README
  --lenient      tolerates missed targets and faster peers
  --profile DIR  writes a CPU profile of each measured process to DIR; this distorts the figures, so they are not judged
  --help         this text

Exits with 1 when an answer was wrong or a contender failed, when a target is missed, or when a peer takes less CPU than Tenon.`;

/** Milliseconds of rest after each row, to measure the load of other programs. */
const restMs = 200;

const options = /** @type {const} */ ({
  full: { type: 'boolean', default: false },
  rounds: { type: 'string' },
  only: { type: 'string', default: '' },
  json: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  lenient: { type: 'boolean', default: false },
  profile: { type: 'string' },
});

for (const [signal, code] of /** @type {const} */ ([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])) {
  process.once(signal, () => void closeAll().finally(() => process.exit(code)));
}

await command({ name: 'bench', help, options, run: main });
await closeAll();

/** @typedef {import('../suite/command-line.js').Values<typeof options>} Wishes */

/** @param {Wishes} wishes */
async function main(wishes) {
  const { json, write, lenient, only, profile } = wishes;
  if (write && (only !== '' || profile !== undefined))
    throw new RangeError('--write takes a whole run, without --only and --profile.');
  const printer = new Printer(json);
  const plan = planOf(wishes);
  const about = aboutThis({
    command: commandOf(wishes),
    busy: await busyShare(restMs),
    pinned: pinThisProcess(),
    rounds: plan.rounds,
    profiled: profile !== undefined,
    newest: plan.nodes.find(({ own }) => !own)?.version,
  });
  printer.say(...aboutLines(about), '');
  const speed = await measureSpeed(plan, { only, printer });
  const clusters = await measureClusters(plan, { only, printer });
  about.busy = Math.max(about.busy, ...speed.busy, ...clusters.busy);
  unpinThisProcess();
  const small = profile === undefined ? await measureSize(wishes, printer) : { footprint: [], sheets: [] };
  const { results } = speed;
  const { footprint } = small;
  const cluster = clusters.results;
  if (results.length + cluster.length + footprint.length === 0)
    throw new RangeError(`No row contains "${only}".`);

  const report = { about, results, cluster, footprint, verdicts: verdictsOf(results, footprint, cluster) };
  if (json) process.stdout.write(jsonOf(report));
  printer.say(...verdictLines(report.verdicts, printer.paint));
  printer.say(...warningsOf(about));
  if (write)
    console.error(
      (await writeReport(report, [...speed.sheets, ...clusters.sheets, ...small.sheets])).join('\n'),
    );
  if (isFailure(report.verdicts, lenient || profile !== undefined)) process.exitCode = 1;
}

/**
 * Measures CPU and throughput, row by row.
 *
 * @param {import('./rounds/plan.js').Plan} plan
 * @param {{ only: string, printer: Printer }} options
 */
async function measureSpeed(plan, { only, printer }) {
  const results = [];
  const sheets = [];
  const busy = [];
  for (const row of rows.filter((one) => isWanted(one, only))) {
    const cells = await measureRow(row, plan, (step) => printer.progress(`${row.title}: ${step}`));
    const own = resultsOf(cells);
    const sheet = rowSheet(row, own);
    printer.show(sheet);
    results.push(...own);
    sheets.push(sheet);
    busy.push(await busyShare(restMs));
  }
  return { results, sheets, busy };
}

/**
 * Measures servers in several processes, row by row.
 *
 * @param {import('./rounds/plan.js').Plan} plan
 * @param {{ only: string, printer: Printer }} options
 */
async function measureClusters(plan, { only, printer }) {
  const wants = (/** @type {import('./cluster/rows.js').ClusterRow} */ row) => isWanted(row, only);
  const results = [];
  const sheets = [];
  const busy = [];
  for await (const { row, cells } of measureCluster({
    plan,
    wants,
    onProgress: (line) => printer.progress(line),
  })) {
    const own = clusterResultsOf(cells);
    const sheet = clusterSheet(row, own);
    printer.show(sheet);
    results.push(...own);
    sheets.push(sheet);
    busy.push(await busyShare(restMs));
  }
  return { results, sheets, busy };
}

/**
 * Measures sizes and memory, which need no exclusive core.
 *
 * @param {Wishes} wishes
 * @param {Printer} printer
 */
async function measureSize({ full, only }, printer) {
  const footprint = await measureFootprint({ full, only, onProgress: (line) => printer.progress(line) });
  const ids = [...new Set(footprint.map(({ id }) => id))];
  const sheets = ids.map((id) => footprintSheet(footprint.filter((one) => one.id === id)));
  for (const sheet of sheets) printer.show(sheet);
  return { footprint, sheets };
}

/**
 * @param {Wishes} wishes
 * @returns {import('./rounds/plan.js').Plan}
 */
function planOf({ full, rounds, profile }) {
  const plan = full ? fullPlan : shortPlan;
  if (rounds !== undefined && !/^[1-9]\d?$/.test(rounds))
    throw new RangeError('--rounds takes a number from 1 to 99.');
  if (profile !== undefined) mkdirSync(profile, { recursive: true });
  const newest = newestNode();
  return {
    ...plan,
    nodes: newest === undefined ? [ownNode] : [ownNode, newest],
    ...(rounds !== undefined && { rounds: Number(rounds) }),
    ...(profile !== undefined && { profiles: resolve(profile) }),
  };
}

/** @param {Wishes} wishes */
function commandOf({ full, rounds }) {
  return [
    'pnpm bench',
    ...(full ? ['--full'] : []),
    ...(rounds === undefined ? [] : [`--rounds ${rounds}`]),
  ].join(' ');
}

/**
 * @param {{ id: string, title: string }} row
 * @param {string} only
 */
function isWanted({ id, title }, only) {
  return [id, title].some((text) => text.toLowerCase().includes(only.toLowerCase()));
}
