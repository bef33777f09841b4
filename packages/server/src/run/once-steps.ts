import { follow } from '@tenon/foundation';
import type { CallHistory } from '@tenon/mcp-protocol';
import { inputPromise } from './input-promise.js';
import { keyProblem } from './problems.js';

/** The type of a value after a round trip through JSON: dates are strings, and functions are removed. */
export type Jsonified<T> = unknown extends T
  ? T
  : T extends { toJSON(): infer Json }
    ? Json
    : T extends string | number | boolean | null | undefined
      ? T
      : T extends (...parameters: never[]) => unknown
        ? never
        : T extends object
          ? { [Key in keyof T]: Jsonified<T[Key]> }
          : undefined;

/** The values of `once` steps that attempts of the same call share. */
export interface StepJournal {
  /** Returns the value that an attempt kept; undefined if the step has not run. */
  recall(step: string): Promise<{ readonly value: unknown } | undefined>;
  /** Keeps the value of a step. @returns the value that counts: another attempt may have kept one before. */
  keep(step: string, value: unknown): Promise<unknown>;
}

/** The callbacks of steps. */
export interface StepWatch {
  started?(): void;
  finished?(): void;
  /** True if the handler's result is no longer needed, so that failures are not reported. */
  interrupted(): boolean;
  /** Returns the reason why no step begins any more; undefined if steps may begin. Default: they may. */
  ended?(): unknown;
}

/** The steps of one request that run once, by key. */
export class OnceSteps {
  readonly #watch: StepWatch;
  readonly #values: Map<string, unknown>;
  readonly #journal: StepJournal | undefined;
  readonly #running = new Map<string, Promise<unknown>>();
  #entered: string | undefined;

  /**
   * @param values - the values of steps that ran before, as JSON; steps add to them.
   * @param journal - the values that attempts of the call share; undefined for a call that is not repeated.
   */
  constructor(watch: StepWatch, values: Map<string, unknown> = new Map(), journal?: StepJournal) {
    this.#watch = watch;
    this.#values = values;
    this.#journal = journal;
  }

  /** The key of the step with a running synchronous part. */
  get entered(): string | undefined {
    return this.#entered;
  }

  /** Runs a step, or returns its earlier value. A step that failed may run again. */
  run<T>(key: string, step: () => T | Promise<T>): Promise<T> {
    return inputPromise(({ resolve, reject, raise }) => {
      const ended = this.#watch.ended?.();
      if (ended !== undefined) return raise(ended);
      const problem = keyProblem('once step', key);
      if (problem !== undefined) return raise(problem);
      if (this.#values.has(key)) return resolve(this.#values.get(key) as T);
      const running = (this.#running.get(key) as Promise<T> | undefined) ?? this.#start(key, step);
      follow(running, resolve, (reason) => (this.#watch.interrupted() ? raise : reject)(reason));
    });
  }

  #start<T>(key: string, step: () => T | Promise<T>): Promise<T> {
    this.#watch.started?.();
    const journal = this.#journal;
    const entered = journal === undefined ? this.#enter(key, step) : this.#attempt(key, step, journal);
    const running = this.#finish(key, entered);
    this.#running.set(key, running);
    return running;
  }

  /** Returns the value of another attempt, or runs the step and keeps its value before the handler receives it. */
  async #attempt<T>(key: string, step: () => T | Promise<T>, journal: StepJournal): Promise<T> {
    const found = await journal.recall(key);
    if (found !== undefined) return found.value as T;
    return (await journal.keep(key, asJson(key, await this.#enter(key, step)))) as T;
  }

  async #enter<T>(key: string, step: () => T | Promise<T>): Promise<T> {
    const outer = this.#entered;
    this.#entered = key;
    try {
      const running = step();
      return running;
    } finally {
      this.#entered = outer;
    }
  }

  async #finish<T>(key: string, entered: Promise<T>): Promise<T> {
    try {
      const value = asJson(key, await entered);
      this.#values.set(key, value);
      return value;
    } finally {
      this.#running.delete(key);
      this.#watch.finished?.();
    }
  }
}

/** Returns the value as the state will preserve it, so that all runs see the same value. */
function asJson<T>(key: string, value: T): T {
  if (value === undefined) return value;
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw notJson(key, cause);
  }
  if (text === undefined) throw notJson(key);
  return JSON.parse(text) as T;
}

function notJson(key: string, cause?: unknown): TypeError {
  return new TypeError(`once(${JSON.stringify(key)}) must give a value that JSON has.`, { cause });
}

/** Returns the values of steps as a record has them. A step without a value returned undefined. */
export function stepsIn(values: ReadonlyMap<string, unknown>): CallHistory['steps'] {
  return Object.fromEntries([...values].map(([key, value]) => [key, { value }]));
}

/** Returns the values of the steps of a record. */
export function valuesOf(steps: CallHistory['steps']): Map<string, unknown> {
  return new Map(Object.entries(steps).map(([key, { value }]) => [key, value]));
}
