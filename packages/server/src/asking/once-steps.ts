import { follow } from '@tenon/mcp-protocol/internal';
import { askPromise } from './ask-promise.js';
import { keyFlaw } from './keys.js';

/** What hears of steps. */
export interface StepWatch {
  started?(): void;
  finished?(): void;
  /** True when nobody waits for the handler any more, so that failures are no news. */
  interrupted(): boolean;
}

/** The steps of one request that run once, by key. */
export class OnceSteps {
  readonly #watch: StepWatch;
  readonly #values: Map<string, unknown>;
  readonly #running = new Map<string, Promise<unknown>>();
  #entered: string | undefined;

  /** @param values - of steps that ran before, as JSON has them; added to. */
  constructor(watch: StepWatch, values: Map<string, unknown> = new Map()) {
    this.#watch = watch;
    this.#values = values;
  }

  /** Key of the step whose synchronous part is running. */
  get entered(): string | undefined {
    return this.#entered;
  }

  /** Runs a step, or gives what it gave before. A step that fails may run again. */
  run<T>(key: string, step: () => T | Promise<T>): Promise<T> {
    return askPromise(({ resolve, reject, raise }) => {
      const flaw = keyFlaw('once', key);
      if (flaw !== undefined) return raise(flaw);
      if (this.#values.has(key)) return resolve(this.#values.get(key) as T);
      const running = (this.#running.get(key) as Promise<T> | undefined) ?? this.#start(key, step);
      follow(running, resolve, (reason) => (this.#watch.interrupted() ? raise : reject)(reason));
    });
  }

  #start<T>(key: string, step: () => T | Promise<T>): Promise<T> {
    this.#watch.started?.();
    const running = this.#finish(key, this.#enter(key, step));
    this.#running.set(key, running);
    return running;
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

/** The value as it will come back from the state, so that the first run and later ones see the same. */
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
