import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonIn, withoutControls } from '@tenon/foundation';

/**
 * The result of a scenario. `expected` is a failure that the file of expected failures lists; `inapplicable` is one of a scenario
 * that uses a tool, prompt or resource that only servers made for the suite have.
 */
export type ScenarioStatus = 'passed' | 'warned' | 'failed' | 'expected' | 'skipped' | 'inapplicable';

/** The outcome of one scenario. */
export interface ScenarioOutcome {
  readonly scenario: string;
  readonly status: ScenarioStatus;
  readonly passed: number;
  readonly failed: number;
  readonly warned: number;
  /** Failed and warned checks with their messages; at most 20. */
  readonly problems: readonly string[];
  /** The thing that the server lacks, if the scenario is inapplicable. */
  readonly needs?: string;
}

/** The output of the suite. */
interface SuiteOutput {
  /** The folder of the results. */
  readonly folder: string;
  readonly log: string;
}

const mostProblems = 20;

/**
 * Reads the outcomes from the files that the suite wrote: its own summary leaves warnings out.
 * @param scenarios - the names in the order of the suite.
 */
export function readOutcomes({ folder, log }: SuiteOutput): readonly ScenarioOutcome[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const run = [...log.matchAll(/^Running client scenario '([^']+)'/gm)].map(([, name = '']) => name);
  const unexpected = section(log, /Unexpected failures/);
  const hasBaseline = /baseline/i.test(log);
  return [...new Set(run)].map((scenario) => {
    const outcome = readOutcome(scenario, { folder, names, log });
    const isExpected = outcome.status === 'failed' && hasBaseline && !unexpected.has(scenario);
    return isExpected ? { ...outcome, status: 'expected' } : outcome;
  });
}

/** Returns the entries of the file of expected failures that pass now. */
export function staleEntries({ log }: Pick<SuiteOutput, 'log'>): readonly string[] {
  return [...section(log, /Stale baseline/)];
}

/** Returns the names in a part of the log about expected failures. */
function section(log: string, title: RegExp): ReadonlySet<string> {
  const lines = withoutControls(log).split('\n');
  const start = lines.findIndex((line) => title.test(line));
  const names = new Set<string>();
  for (const line of start === -1 ? [] : lines.slice(start + 1)) {
    const name = /^\s+[^\w\s] (\S+)/.exec(line)?.[1];
    if (name === undefined) break;
    names.add(name);
  }
  return names;
}

interface Check {
  readonly id?: unknown;
  readonly status?: unknown;
  readonly description?: unknown;
  readonly errorMessage?: unknown;
}

function readOutcome(
  scenario: string,
  { folder, names, log }: SuiteOutput & { readonly names: readonly string[] },
): ScenarioOutcome {
  const start = `server-${scenario}-`;
  const name = names.find(
    (entry) => entry.startsWith(start) && /^\d{4}-\d\d-\d\dT/.test(entry.slice(start.length)),
  );
  const file = name === undefined ? undefined : join(folder, name, 'checks.json');
  const checks = file === undefined || !existsSync(file) ? undefined : checksIn(readFileSync(file, 'utf8'));
  if (checks === undefined) {
    const thrown = log.split('\n').find((line) => line.startsWith(`Failed to run scenario ${scenario}:`));
    const problem = thrown ?? 'the suite wrote no result';
    return { scenario, status: 'failed', passed: 0, failed: 1, warned: 0, problems: [problem.slice(0, 400)] };
  }
  const count = (status: string) => checks.filter((check) => check.status === status).length;
  const [passed, failed, warned] = [count('SUCCESS'), count('FAILURE'), count('WARNING')] as const;
  const problems = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING').map(describe);
  const counts = { passed, failed, warned, problems: problems.slice(0, mostProblems) };
  return { scenario, status: statusOf(counts), ...counts };
}

function statusOf({
  passed,
  failed,
  warned,
}: {
  passed: number;
  failed: number;
  warned: number;
}): ScenarioStatus {
  if (failed > 0) return 'failed';
  if (warned > 0) return 'warned';
  return passed > 0 ? 'passed' : 'skipped';
}

function checksIn(text: string): readonly Check[] | undefined {
  const value = jsonIn(text);
  return Array.isArray(value) ? value.map((check) => Object(check) as Check) : undefined;
}

function describe({ id, errorMessage, description }: Check): string {
  const reason = errorMessage ?? description ?? 'no reason given';
  const text = withoutControls(String(reason)).replaceAll(/\s+/g, ' ').slice(0, 300);
  return `${String(id)}: ${text}`;
}
