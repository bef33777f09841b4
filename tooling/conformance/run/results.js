import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { whyLater } from './left-to-later.js';

/**
 * The results of one scenario.
 *
 * @typedef {object} Check
 * @property {string} id
 * @property {'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'} status
 * @property {string} [description]
 * @property {string} [errorMessage]
 * @property {Record<string, unknown>} [details]
 */

/**
 * The outcome of one scenario. It is clean if there is no reason against it.
 *
 * @typedef {object} Outcome
 * @property {string} scenario
 * @property {string[]} reasons why the scenario is not clean
 * @property {string[]} skipped checks that the suite skipped, with its reasons
 */

/**
 * @typedef {object} Results
 * @property {Outcome[]} outcomes of the judged scenarios
 * @property {{ scenario: string, reason: string }[]} later scenarios that are not judged yet
 * @property {string[]} troubles problems of the run itself
 */

/** Checks of the wire format. They succeed even if the program only sends an error, so they say nothing about the scenario. */
const aboutTheWire = /^wire-schema-/;

/** Checks that must succeed: the suite only remarks, or stays silent, if a program does not get that far. */
const mustSucceed = new Map([
  ['server-initialize', ['server-session-id-visible-ascii']],
  [
    'server-session-lifecycle',
    [
      'server-session-initialized-accepted',
      'server-session-delete-accepted',
      'server-session-terminated-returns-404',
    ],
  ],
  [
    'server-sse-polling',
    ['server-sse-priming-event', 'server-sse-retry-field', 'server-sse-disconnect-resume'],
  ],
  [
    'auth/offline-access-scope',
    ['sep-2207-offline-access-requested', 'sep-2207-client-metadata-grant-types'],
  ],
  ['sse-retry', ['client-sse-graceful-reconnect', 'client-sse-retry-timing', 'client-sse-last-event-id']],
]);

/**
 * Reads each check that one run left. The suite's own summary omits warnings, untested checks and the exit codes of
 * clients.
 *
 * @param {'server' | 'client'} side
 * @param {import('./suite.js').Ran} ran
 * @returns {Results}
 */
export function readResults(side, { folder, log, trouble }) {
  const summary = readSummary(log);
  const later = summary.lines.flatMap(({ scenario }) => {
    const reason = whyLater(scenario);
    return reason === undefined ? [] : [{ scenario, reason }];
  });
  const judged = summary.lines.filter(({ scenario }) => whyLater(scenario) === undefined);
  const troubles = trouble === undefined ? [] : [trouble];
  if (summary.announced === undefined) {
    troubles.push(`the run did not start: ${log.trim().slice(-1_000)}`);
  } else if (summary.announced !== summary.lines.length) {
    troubles.push(`${summary.announced} scenarios were announced, ${summary.lines.length} ended`);
  }
  if (/^Client timed out/m.test(log))
    troubles.push('a client did not end within the time limit of the suite');
  return {
    outcomes: judged.map((line) => readOutcome(side, { line, folder, log })),
    later,
    troubles,
  };
}

/**
 * @typedef {{ scenario: string, passed: number, failed: number }} Line of the summary
 * @param {string} log
 * @returns {{ announced: number | undefined, lines: Line[] }}
 */
function readSummary(log) {
  const announced = /^Running .*\((\d+) scenarios\)/m.exec(log)?.[1];
  const lines = [...log.matchAll(/^[✓✗-] (\S+): (?:(\d+) passed, (\d+) failed|skipped)/gm)].map(
    ([, scenario = '', passed = 0, failed = 0]) => ({
      scenario,
      passed: Number(passed),
      failed: Number(failed),
    }),
  );
  return { announced: announced === undefined ? undefined : Number(announced), lines };
}

/**
 * @param {'server' | 'client'} side
 * @param {{ line: Line, folder: string, log: string }} found
 * @returns {Outcome}
 */
function readOutcome(side, { line, folder, log }) {
  const { scenario } = line;
  const place = placeOf(join(folder, side === 'server' ? `server-${scenario}` : scenario));
  const checks = place === undefined ? undefined : readChecks(join(place, 'checks.json'));
  if (place === undefined || checks === undefined) {
    const thrown = log.match(new RegExp(`^Failed to run scenario ${scenario}:.*`, 'm'))?.[0];
    return { scenario, reasons: [thrown ?? 'It threw, and left no checks'], skipped: [] };
  }
  const reasons = [
    ...complaints(checks),
    ...(side === 'client' ? unfinished(place) : []),
    ...untested(scenario, checks),
    ...contradictions(line, checks),
  ];
  const skipped = checks.filter(({ status }) => status === 'SKIPPED').map((check) => describe(check));
  return { scenario, reasons: [...new Set(reasons)], skipped: [...new Set(skipped)] };
}

/**
 * @param {string} path of a scenario's folder, without the time at the end
 * @returns {string | undefined}
 */
function placeOf(path) {
  const parent = dirname(path);
  if (!existsSync(parent)) return undefined;
  const start = `${basename(path)}-`;
  const isTime = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/;
  const name = readdirSync(parent).find(
    (entry) => entry.startsWith(start) && isTime.test(entry.slice(start.length)),
  );
  return name === undefined ? undefined : join(parent, name);
}

/**
 * @param {string} path
 * @returns {Check[] | undefined}
 */
function readChecks(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

/** @param {Check[]} checks */
function complaints(checks) {
  return checks
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map((check) => `${check.status} ${describe(check)}`);
}

/** @param {Check} check */
function describe({ id, errorMessage, details, description }) {
  const reason = errorMessage ?? details?.message ?? details?.reason ?? description ?? 'no reason given';
  return `${id}: ${String(reason).replaceAll(/\s+/g, ' ').slice(0, 400)}`;
}

/**
 * Our client prints `done` at the very end. The suite ignores the exit code of clients.
 *
 * @param {string} place
 */
function unfinished(place) {
  /** @param {string} name */
  const read = (name) =>
    existsSync(join(place, name)) ? readFileSync(join(place, name), 'utf8').trim() : '';
  if (read('stdout.txt').split('\n').at(-1) === 'done') return [];
  return [`The client did not come to its end: ${read('stderr.txt').split('\n', 1)[0] || 'it said nothing'}`];
}

/**
 * @param {string} scenario
 * @param {Check[]} checks
 */
function untested(scenario, checks) {
  const good = new Set(checks.filter(({ status }) => status === 'SUCCESS').map(({ id }) => id));
  const bad = checks.some(({ status }) => status === 'FAILURE' || status === 'WARNING');
  const missing = (mustSucceed.get(scenario) ?? []).filter((id) => !good.has(id) && !bad);
  if (missing.length > 0) return missing.map((id) => `${id}: it was not tested`);
  return bad || [...good].some((id) => !aboutTheWire.test(id)) ? [] : ['Nothing was tested'];
}

/**
 * @param {Line} line
 * @param {Check[]} checks
 */
function contradictions({ passed, failed }, checks) {
  /** @param {Check['status']} wanted */
  const count = (wanted) => checks.filter(({ status }) => status === wanted).length;
  if (count('SUCCESS') === passed && count('FAILURE') === failed) return [];
  return [`The log counts ${passed} passed and ${failed} failed, which the checks do not`];
}
