import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { onAbort, withoutControls } from '@tenon/foundation';
import type { Implementation } from '@tenon/mcp-client';
import { type Catalog, readCatalog } from './catalog/catalog.js';
import { missingFixture } from './conformance/fixtures.js';
import { type SuiteChoice, type SuiteProgram, suiteProgram } from './conformance/suite-program.js';
import { readOutcomes, type ScenarioOutcome, staleEntries } from './conformance/suite-results.js';
import { openServer } from './connections/open-server.js';
import type { UrlServer } from './connections/server-target.js';
import { WorkbenchError } from './failures/workbench-error.js';

export type { SuiteProgram } from './conformance/suite-program.js';
export type { ScenarioOutcome, ScenarioStatus } from './conformance/suite-results.js';

/** The scenarios to run. */
interface ConformanceSelection {
  /** `active` by default. */
  readonly suite?: string | undefined;
  readonly scenario?: string | undefined;
  /** A revision: runs the scenarios that it requires, in place of a suite. */
  readonly requirements?: string | undefined;
  /** Runs the scenarios of this revision only. */
  readonly revision?: string | undefined;
  /** A YAML file of the suite's format. */
  readonly expectedFailures?: string | undefined;
}

/** Options of {@link checkConformance}. */
export interface ConformanceOptions extends ConformanceSelection, SuiteChoice {
  /** The client info. */
  readonly info: Implementation;
  /** Milliseconds for one scenario; 30,000 by default. */
  readonly timeout?: number | undefined;
  /** The folder for the files of the suite. Default: one that is deleted afterwards. */
  readonly output?: string | undefined;
  /** True to count scenarios that need things of the suite's own server as failed. Default: false. */
  readonly strict?: boolean | undefined;
  /** The folder of relative paths, from which an installed suite is looked up. Default: that of this process. */
  readonly cwd?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called before anything is downloaded or started. */
  readonly onProgram?: ((program: SuiteProgram) => void) | undefined;
  /** Called when a scenario starts. */
  readonly onScenario?: ((scenario: string) => void) | undefined;
  /** Starts this program as the suite. */
  readonly program?: SuiteProgram | undefined;
}

/** The result of {@link checkConformance}: JSON. */
export interface ConformanceReport {
  readonly target: string;
  /** The version of the suite. */
  readonly suite: string;
  /** True if no scenario failed unexpectedly. */
  readonly ok: boolean;
  readonly isInterrupted: boolean;
  readonly scenarios: readonly ScenarioOutcome[];
  /** Expected failures that passed: their entries can be deleted. */
  readonly stale: readonly string[];
}

const defaultTimeout = 30_000;
/** Milliseconds that all scenarios together may take. */
const longest = 1_800_000;
/** Milliseconds that the suite has to end after an interruption. */
const grace = 2_000;
const mostLog = 4_000_000;

/**
 * Runs the official conformance suite against a server over HTTP.
 * @throws WorkbenchError `usage` for a wrong option, `unreachable` if the server or npx cannot be reached; the errors of `connect`.
 */
export async function checkConformance(
  target: UrlServer,
  options: ConformanceOptions,
): Promise<ConformanceReport> {
  const { cwd = process.cwd(), signal = new AbortController().signal, info, onProgram } = options;
  if (Object.keys(target.headers ?? {}).length > 0)
    throw new WorkbenchError('usage', 'The conformance suite sends no headers.', {
      hint: 'Run it against a server without sign-in.',
    });
  const program = options.program ?? suiteProgram(thisPlace(cwd), options);
  // Against an unreachable server the suite counts checks that have nothing to check as passed.
  const catalog = await catalogOf(target, { info, signal });
  onProgram?.(program);
  const folder =
    options.output === undefined
      ? await mkdtemp(join(tmpdir(), 'conformance-'))
      : resolve(cwd, options.output);
  try {
    const args = [...program.args, 'server', '--url', target.url, ...wordsOf(options, cwd), '-o', folder];
    const { log, isInterrupted } = await run({ ...program, args }, { ...options, cwd, signal });
    const scenarios = readOutcomes({ folder, log }).map((outcome) =>
      markInapplicable(outcome, catalog, options),
    );
    if (scenarios.length === 0 && !isInterrupted) throw nothingRan(log);
    const stale = staleEntries({ log });
    const ok = stale.length === 0 && scenarios.every(({ status }) => status !== 'failed');
    return { target: target.url, suite: program.version, ok, isInterrupted, scenarios, stale };
  } finally {
    if (options.output === undefined) await rm(folder, { recursive: true, force: true });
  }
}

function thisPlace(cwd: string) {
  const { env, execPath: path, versions, platform, arch } = process;
  return { cwd, env, platform, arch, node: { path, version: versions.node } };
}

async function catalogOf(
  target: UrlServer,
  options: { readonly info: Implementation; readonly signal: AbortSignal },
): Promise<Catalog> {
  const client = await openServer(target, options);
  try {
    return await readCatalog(client, { signal: options.signal });
  } finally {
    await client.close();
  }
}

function wordsOf(options: ConformanceOptions, cwd: string): readonly string[] {
  const { suite, scenario, requirements, revision, expectedFailures, timeout = defaultTimeout } = options;
  const chosen = [suite, scenario, requirements].filter((one) => one !== undefined);
  if (chosen.length > 1)
    throw new WorkbenchError('usage', 'Give one of a suite, a scenario and requirements.');
  if (requirements !== undefined && revision !== undefined)
    throw new WorkbenchError('usage', 'Requirements name a revision themselves: leave the other one out.');
  const named = { suite, scenario, requirements, 'spec-version': revision };
  return [
    ...Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value])),
    ...(expectedFailures === undefined ? [] : ['--expected-failures', resolve(cwd, expectedFailures)]),
    ...['--timeout', String(timeout)],
  ];
}

function markInapplicable(
  outcome: ScenarioOutcome,
  catalog: Catalog,
  options: ConformanceOptions,
): ScenarioOutcome {
  // A list of expected failures is about all scenarios.
  if (options.strict === true || options.expectedFailures !== undefined || outcome.status !== 'failed')
    return outcome;
  const needs = missingFixture(outcome.scenario, catalog);
  return needs === undefined ? outcome : { ...outcome, status: 'inapplicable', needs };
}

function nothingRan(log: string): WorkbenchError {
  const lines = withoutControls(log).trim().split('\n');
  const telling = lines
    .filter((line) => /error|unknown|invalid|not found|no scenario/i.test(line))
    .slice(0, 3);
  const shown = telling.length > 0 ? telling : lines.slice(-3);
  const isNetwork = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|network/.test(log);
  return new WorkbenchError(
    isNetwork ? 'unreachable' : 'usage',
    `The suite did not run a scenario. It printed: ${shown.join(' ').slice(0, 500)}`,
    {
      hint: isNetwork
        ? 'Install the suite where there is a network: npm install --save-dev @modelcontextprotocol/conformance.'
        : 'Check the names of the suite, the scenario and the revision: npx @modelcontextprotocol/conformance list --server.',
    },
  );
}

/** Runs the suite until it ends, the signal aborts, or its time is over. */
function run(
  { command, args, node }: SuiteProgram,
  { cwd, signal, onScenario }: ConformanceOptions & { readonly cwd: string; readonly signal: AbortSignal },
): Promise<{ readonly log: string; readonly isInterrupted: boolean }> {
  signal.throwIfAborted();
  return new Promise((finish, reject) => {
    const child = spawn(command, args, {
      ...{ cwd, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true },
      // On Windows npx is a script, which only a shell starts.
      shell: process.platform === 'win32' && command === 'npx',
      env: node === undefined ? process.env : withNode(node),
    });
    let log = '';
    let hardEnd: NodeJS.Timeout | undefined;
    const stop = () => {
      child.kill('SIGINT');
      hardEnd = setTimeout(() => child.kill('SIGKILL'), grace);
    };
    const timer = setTimeout(() => child.kill('SIGKILL'), longest);
    const release = onAbort(signal, stop);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        log = (log + chunk).slice(-mostLog);
        for (const [, scenario = ''] of chunk.matchAll(/^Running client scenario '([^']+)'/gm))
          onScenario?.(scenario);
      });
    }
    const over = () => {
      clearTimeout(timer);
      clearTimeout(hardEnd);
      release();
    };
    child.once('error', (cause: NodeJS.ErrnoException) => {
      over();
      const hint = 'Install Node with npm, or name a newer Node with --node PATH.';
      reject(
        new WorkbenchError('unreachable', `${command} cannot be started (${cause.code}).`, { hint, cause }),
      );
    });
    child.once('close', () => {
      over();
      finish({ log, isInterrupted: signal.aborted });
    });
  });
}

/** Scripts of packages run with the first Node in PATH. */
function withNode(node: string): NodeJS.ProcessEnv {
  return { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) };
}
