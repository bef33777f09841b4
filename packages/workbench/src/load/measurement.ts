import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

/** Latencies in milliseconds. */
export interface Latency {
  readonly min: number;
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

/** The errors of one kind. */
export interface LoadErrors {
  readonly count: number;
  /** The message of the first one. */
  readonly example: string;
}

/** The calls of one kind, or all. */
export interface Measured {
  readonly calls: number;
  /** Calls in a second, failed ones included. */
  readonly perSecond: number;
  readonly errors: number;
  /** Of the calls that succeeded; undefined if there are none. */
  readonly latency?: Latency;
}

const mostKinds = 20;
/** An hour in microseconds. */
const longest = 3_600_000_000;

/** The latencies and errors of one kind of call. */
export class Measurement {
  readonly #histogram: RecordableHistogram = createHistogram({ lowest: 1, highest: longest, figures: 3 });
  #errors = 0;

  /** Records a call that succeeded. @param ms - milliseconds */
  succeeded(ms: number): void {
    this.#histogram.record(Math.min(longest, Math.max(1, Math.round(ms * 1_000))));
  }

  failed(): void {
    this.#errors++;
  }

  /** @param seconds - the time of the whole run. */
  report(seconds: number): Measured {
    const { count, min, mean, max } = this.#histogram;
    const calls = count + this.#errors;
    const at = (percent: number) => this.#histogram.percentile(percent) / 1_000;
    return {
      calls,
      perSecond: seconds > 0 ? calls / seconds : 0,
      errors: this.#errors,
      ...(count > 0 && {
        latency: {
          min: min / 1_000,
          mean: mean / 1_000,
          p50: at(50),
          p90: at(90),
          p99: at(99),
          max: max / 1_000,
        },
      }),
    };
  }
}

/** Counts errors by kind; kinds beyond the 20th are counted as `other`. */
export class ErrorCounts {
  readonly #kinds = new Map<string, { count: number; readonly example: string }>();

  add(kind: string, example: string): void {
    const name = this.#kinds.has(kind) || this.#kinds.size < mostKinds ? kind : 'other';
    const known = this.#kinds.get(name);
    if (known === undefined) this.#kinds.set(name, { count: 1, example: example.slice(0, 300) });
    else known.count++;
  }

  report(): Readonly<Record<string, LoadErrors>> {
    return Object.fromEntries(
      [...this.#kinds].map(([kind, { count, example }]) => [kind, { count, example }]),
    );
  }
}
