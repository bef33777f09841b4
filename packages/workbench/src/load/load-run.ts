import { setMaxListeners } from 'node:events';
import { type Clock, onAbort } from '@tenon/foundation';
import { CallMix, type LoadCall, nameOf } from './load-call.js';
import { ErrorCounts, type LoadErrors, type Measured, Measurement } from './measurement.js';

/** An error of a call, by kind. */
export interface CallFailure {
  readonly kind: string;
  readonly message: string;
  /** True if the connection is gone: no later call can succeed. */
  readonly isFinal?: boolean;
}

/** Sends one call. @returns the failure of the call; it does not reject. */
export type SendCall = (call: LoadCall, signal: AbortSignal) => Promise<CallFailure | undefined>;

/** The plan of a load. All times are in milliseconds. */
export interface LoadSettings {
  readonly calls: readonly LoadCall[];
  /** Calls in flight at the same time, over all connections. */
  readonly concurrency: number;
  readonly duration: number;
  /** Calls in all; fewer if the duration is over before. */
  readonly requests: number;
  /** Calls before the measurement. */
  readonly warmup: number;
  /** Calls started in a second, whatever the server does; undefined to start the next one when one has ended. */
  readonly rate: number | undefined;
}

/** The state of a running load. */
export interface LoadProgress {
  readonly seconds: number;
  readonly calls: number;
  readonly errors: number;
}

/** The dependencies of {@link runLoad}. */
interface LoadParts {
  /** One for each connection. */
  readonly senders: readonly SendCall[];
  readonly clock: Clock;
  /** Ends the load early. */
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined;
}

/** The result of {@link runLoad}. */
interface LoadResult {
  readonly seconds: number;
  readonly isInterrupted: boolean;
  readonly total: Measured;
  /** By the name of the call. */
  readonly calls: Readonly<Record<string, Measured>>;
  readonly errors: Readonly<Record<string, LoadErrors>>;
}

/** The result of `measureLoad`: JSON. Latencies are in milliseconds. */
export interface LoadReport extends LoadResult {
  readonly target: string;
  readonly revision: string;
  readonly connections: number;
  readonly concurrency: number;
  readonly rate?: number;
}

const progressEvery = 500;
/** Milliseconds that running calls have to end after the duration. */
const drain = 5_000;

/** Runs a load: first the warm-up, then the measurement. */
export async function runLoad(plan: LoadSettings, parts: LoadParts): Promise<LoadResult> {
  if (plan.warmup > 0)
    await new LoadRun(
      { ...plan, rate: undefined, requests: plan.warmup },
      { ...parts, onProgress: undefined },
    ).run();
  return new LoadRun(plan, parts).run();
}

class LoadRun {
  readonly #plan: LoadSettings;
  readonly #parts: LoadParts;
  readonly #mix: CallMix;
  readonly #total = new Measurement();
  readonly #measurements: ReadonlyMap<string, Measurement>;
  readonly #errors = new ErrorCounts();
  /** Aborts calls that are still running after the end. */
  readonly #ending = new AbortController();
  readonly #started: number;
  #next = 0;
  #done = 0;
  #failures = 0;
  #isOver = false;

  constructor(plan: LoadSettings, parts: LoadParts) {
    this.#plan = plan;
    this.#parts = parts;
    this.#mix = new CallMix(plan.calls);
    this.#measurements = new Map(plan.calls.map((call) => [nameOf(call), new Measurement()]));
    this.#started = parts.clock.now();
    // Each call in flight listens; Node warns beyond 10.
    setMaxListeners(plan.concurrency + 10, this.#ending.signal);
  }

  async run(): Promise<LoadResult> {
    const { concurrency, duration } = this.#plan;
    const { clock, signal } = this.#parts;
    const stop = () => {
      this.#end();
      this.#ending.abort();
    };
    const cancels = [
      clock.schedule(() => this.#end(), duration, true),
      clock.schedule(stop, duration + drain, true),
    ];
    const release = onAbort(signal, stop);
    const stopProgress = this.#reportProgress();
    const workers = Array.from({ length: concurrency }, (_, index) => this.#work(index));
    await Promise.all(workers);
    const seconds = Math.round(clock.now() - this.#started) / 1_000;
    for (const cancel of cancels) cancel();
    stopProgress();
    release();
    return {
      seconds,
      isInterrupted: signal.aborted,
      total: this.#total.report(seconds),
      calls: Object.fromEntries([...this.#measurements].map(([name, one]) => [name, one.report(seconds)])),
      errors: this.#errors.report(),
    };
  }

  readonly #waiting = new Set<() => void>();

  /** Starts no further call. */
  #end(): void {
    this.#isOver = true;
    for (const wake of this.#waiting) wake();
  }

  async #work(worker: number): Promise<void> {
    const { senders } = this.#parts;
    const send = senders[worker % senders.length];
    while (send !== undefined && !this.#isOver && this.#next < this.#plan.requests) {
      const index = this.#next++;
      const due = await this.#due(index);
      if (due === undefined) return;
      const failure = await this.#call(send, due);
      if (failure?.isFinal === true) return;
      // A call that fails at once must not keep timers and signals from running.
      if (failure !== undefined) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /**
   * Waits until a call is due, and returns that time: the latency of a late call includes the time that it waited for a free
   * worker. Undefined if the load is over before.
   */
  async #due(index: number): Promise<number | undefined> {
    const { rate } = this.#plan;
    const { clock } = this.#parts;
    if (rate === undefined) return clock.now();
    const due = this.#started + (index * 1_000) / rate;
    const wait = due - clock.now();
    if (wait > 0) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          cancel();
          this.#waiting.delete(wake);
          resolve();
        };
        const cancel = clock.schedule(wake, wait, true);
        this.#waiting.add(wake);
      });
    }
    return this.#isOver ? undefined : due;
  }

  async #call(send: SendCall, due: number): Promise<CallFailure | undefined> {
    const { clock } = this.#parts;
    const call = this.#plan.calls[this.#mix.next()] as LoadCall;
    const failure = await send(call, this.#ending.signal);
    // The user's interruption cancels calls: they say nothing about the server.
    if (failure !== undefined && this.#parts.signal.aborted) return failure;
    const ms = clock.now() - due;
    const own = this.#measurements.get(nameOf(call));
    this.#done++;
    for (const one of [this.#total, own]) {
      if (failure === undefined) one?.succeeded(ms);
      else one?.failed();
    }
    if (failure === undefined) return undefined;
    this.#failures++;
    this.#errors.add(failure.kind, failure.message);
    return failure;
  }

  #reportProgress(): () => void {
    const { onProgress, clock } = this.#parts;
    if (onProgress === undefined) return () => {};
    let cancel = () => {};
    const report = () => {
      const seconds = (clock.now() - this.#started) / 1_000;
      onProgress({ seconds, calls: this.#done, errors: this.#failures });
      cancel = clock.schedule(report, progressEvery);
    };
    report();
    return () => cancel();
  }
}
