import { WorkbenchError } from '../failures/workbench-error.js';
import type { LoadReport } from './load-run.js';
import type { Latency, Measured } from './measurement.js';

/** One number of two runs. */
export interface LoadChange {
  /** The name of the call, or `total`. */
  readonly call: string;
  readonly measure: 'perSecond' | 'errors' | keyof Latency;
  readonly before: number;
  readonly now: number;
  /** `now` by `before`; undefined if `before` is 0. */
  readonly ratio?: number;
}

const latencies = ['p50', 'p90', 'p99', 'max'] as const;

/** Returns the numbers of the calls that both runs have. */
export function compareLoads(before: LoadReport, now: LoadReport): readonly LoadChange[] {
  const pairs: readonly (readonly [string, Measured, Measured | undefined])[] = [
    ['total', now.total, before.total],
    ...Object.entries(now.calls).map(([name, own]) => [name, own, before.calls[name]] as const),
  ];
  return pairs.flatMap(([call, own, earlier]) => (earlier === undefined ? [] : changes(call, own, earlier)));
}

function changes(call: string, now: Measured, before: Measured): readonly LoadChange[] {
  const change = (measure: LoadChange['measure'], values: readonly [number, number]): LoadChange => ({
    ...{ call, measure, before: values[0], now: values[1] },
    ...(values[0] !== 0 && { ratio: values[1] / values[0] }),
  });
  return [
    change('perSecond', [before.perSecond, now.perSecond]),
    change('errors', [before.errors, now.errors]),
    ...latencies.flatMap((name) => {
      const values = [before.latency?.[name], now.latency?.[name]] as const;
      return values[0] === undefined || values[1] === undefined ? [] : [change(name, [values[0], values[1]])];
    }),
  ];
}

/**
 * Reads a report that was stored as JSON.
 * @param source - the name of the file for errors.
 * @throws WorkbenchError `usage` if it is none.
 */
export function readLoadReport(value: unknown, source: string): LoadReport {
  const { total, calls } = Object(value) as Partial<LoadReport>;
  const isReport =
    isMeasured(total) &&
    typeof calls === 'object' &&
    calls !== null &&
    Object.values(calls).every(isMeasured);
  if (isReport) return value as LoadReport;
  throw new WorkbenchError('usage', `${source} is not the report of a load.`, {
    hint: 'Store one with: tenon bench SERVER --json > before.json',
  });
}

function isMeasured(value: unknown): boolean {
  const { calls, perSecond, errors, latency } = Object(value) as Partial<Measured>;
  const numbers = [calls, perSecond, errors, ...latencies.map((name) => latency?.[name] ?? 0)];
  return numbers.every((one) => typeof one === 'number' && Number.isFinite(one));
}
