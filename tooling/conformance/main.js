// `pnpm conformance`: the official conformance suite against our everything-server and everything-client.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { command, progress } from '../suite/command-line.js';
import { partHelp, partOf } from '../suite/part.js';
import { clientCommand, startServer } from './run/everything.js';
import { isClean, table } from './run/report.js';
import { readResults } from './run/results.js';
import { nameOf, runs } from './run/runs.js';
import { runSuite } from './run/suite.js';

const help = `Usage: pnpm conformance [options]

Runs the official conformance suite against the everything-server over HTTP and with the everything-client: in every
revision the suite knows, in none by name, which is how it runs extensions, and its two frozen sets of required
scenarios. A scenario is clean when no check failed or warned, something was checked, and the client came to its end.

  --only SIDE      server or client
  --revision DATE  only runs of that revision; 'any' for those that name none
  --part K/N       ${partHelp}
  --processes N    runs the server as N processes that share a Redis, behind a proxy that deals requests to them in turn
                   (default 1); runs of the client, which starts no server of ours, are left out
  --output DIR     keeps what the suite wrote there
  --json           the outcomes as JSON
  --help           this text

  none             the suite has nothing there but what comes with later work, which is listed at the end, not judged

Exits with 1 when anything is not clean, no failure being expected, and with 2 for wrong arguments.`;

const options = /** @type {const} */ ({
  only: { type: 'string' },
  revision: { type: 'string' },
  part: { type: 'string' },
  processes: { type: 'string', default: '1' },
  output: { type: 'string' },
  json: { type: 'boolean', default: false },
});

/** @typedef {import('./run/report.js').Judged} Judged */

await command({ name: 'conformance', help, options, run: main });

/** @param {import('../suite/command-line.js').Values<typeof options>} values */
async function main({ only, revision, part, processes, output, json }) {
  if (!/^[1-9]\d?$/.test(processes)) throw new RangeError('--processes takes a number from 1 to 99.');
  const count = Number(processes);
  const named = runs.filter(
    (run) =>
      run.side === (only ?? run.side) &&
      run.revision === (revision ?? run.revision) &&
      (count === 1 || run.side === 'server'),
  );
  const chosen = partOf(named, part);
  if (chosen.length === 0) {
    const known = [...new Set(runs.map((run) => run.revision))].join(', ');
    throw new RangeError(
      `--only takes server or client, with several processes only server; --revision one of ${known}.`,
    );
  }
  const started = performance.now();
  const folder = output === undefined ? mkdtempSync(join(tmpdir(), 'conformance-')) : resolve(output);
  if (output === undefined) process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const found = await judge(chosen, { folder, processes: count });
  const clean = isClean(found.judged);
  if (!clean) process.exitCode = 1;
  if (json) console.log(JSON.stringify({ clean, runs: found.judged, said: found.said }, undefined, 2));
  else report(found, (performance.now() - started) / 1_000);
}

/**
 * Makes the runs one after the other, all of the server's on the same processes, because some scenarios measure time.
 *
 * @param {typeof runs} chosen
 * @param {{ folder: string, processes: number }} options
 */
async function judge(chosen, { folder, processes }) {
  const server = chosen.some(({ side }) => side === 'server') ? await startServer(processes) : undefined;
  /** @type {Judged[]} */
  const judged = [];
  for (const run of chosen) {
    progress(nameOf(run));
    const own = join(folder, nameOf(run).replaceAll(' ', '-'));
    rmSync(own, { recursive: true, force: true });
    mkdirSync(own, { recursive: true });
    const target = run.side === 'server' ? (server?.url ?? '') : clientCommand;
    judged.push({ run, ...readResults(run.side, await runSuite(run, { target, folder: own })) });
  }
  progress('');
  const trouble = await server?.close();
  if (trouble !== undefined) judged.find(({ run }) => run.side === 'server')?.troubles.push(trouble);
  return { judged, said: server?.said() ?? '', dealt: server?.dealt() ?? [] };
}

/**
 * @param {{ judged: Judged[], said: string, dealt: readonly number[] }} found
 * @param {number} seconds
 */
function report({ judged, said, dealt }, seconds) {
  console.log(table(judged, paint(process.stdout.isTTY && process.env.NO_COLOR === undefined)));
  if (said !== '') console.log(`\nthe everything-server complained:\n${said}`);
  if (dealt.length > 0) {
    console.log(`\nrequests to ${dealt.length} processes: ${dealt.join(', ')}`);
    console.log('runs of the client are left out: they start no server of ours');
  }
  const outcomes = judged.flatMap((run) => run.outcomes);
  const good = outcomes.filter(({ reasons }) => reasons.length === 0).length;
  const counts = `${good} of ${outcomes.length} scenarios clean in ${judged.length} runs`;
  console.log(`\nconformance: ${counts}, ${seconds.toFixed(0)} s`);
}

/** @param {boolean} enabled */
function paint(enabled) {
  const code = (/** @type {number} */ number) => (/** @type {string} */ text) =>
    enabled ? `\u001b[${number}m${text}\u001b[0m` : text;
  return { good: code(32), bad: code(31), dim: code(2) };
}
