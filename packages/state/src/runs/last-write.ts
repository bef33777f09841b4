import { type Clock, pause } from '@tenon/foundation';
import { stateFailureOf } from '@tenon/mcp-protocol/internal';
import type { StateFailure } from '../state.js';
import { firstPause, longest, longestPause } from './until-reached.js';

/** The outcome of a handler, in the form in which its record is changed. */
export interface Outcome<End> {
  readonly end: End;
  /** Returns the characters of the outcome as JSON. */
  size(): number;
}

/** The record that an outcome is written to. */
export interface LastWriteTarget<End> {
  readonly clock: Clock;
  /** Writes an end. Rejects with a StateError, or with an error that has one as its cause. */
  write(end: End): Promise<unknown>;
  /** Returns an end that needs little space, with an error in place of the outcome. */
  instead(message: string): End;
  /** True when the time of the record is over. */
  isOver(): boolean;
  /** Aborts when this process has no more part in the record. Default: it keeps its part. */
  readonly left?: AbortSignal;
  /** The space of the outcomes that wait in this process. */
  readonly waiting: WaitingOutcomes;
  report(error: unknown): void;
}

/** Characters of all outcomes that wait in one process. */
const waitingSize = 32 * 1024 * 1024;

/** The outcome of a handler that has returned, written as soon as the state accepts it: the handler does not run again. */
export class LastWrite<End> {
  readonly #to: LastWriteTarget<End>;
  readonly #began: number;
  /** Undefined once the outcome was dropped. */
  #outcome: Outcome<End> | undefined;
  #end: End;
  #free: (() => void) | undefined;
  #isDone = false;
  #written: Promise<void> | undefined;

  constructor(to: LastWriteTarget<End>, outcome: Outcome<End>) {
    this.#to = to;
    this.#began = to.clock.now();
    this.#outcome = outcome;
    this.#end = outcome.end;
  }

  /** Resolves when the state has the end, or this process has no more part in the record. Never rejects. */
  written(): Promise<void> {
    this.#written ??= this.#write().finally(() => this.#free?.());
    return this.#written;
  }

  /** Writes the end once more, because the process ends: the outcome, or an error that needs less space. Never rejects. */
  async writeLast(): Promise<void> {
    if ((await this.#failure()) === undefined || this.#outcome === undefined) return;
    this.#drop(unfit('the server closed before its state accepted the result'));
    await this.#failure();
  }

  async #write(): Promise<void> {
    const { clock, left } = this.#to;
    for (let wait = firstPause; !(await this.#attempt()); wait = Math.min(longestPause, 2 * wait)) {
      await pause(clock, wait, { signal: left });
      if (left?.aborted) return;
    }
  }

  /** @returns true if nothing is left to write. */
  async #attempt(): Promise<boolean> {
    for (;;) {
      const failure = await this.#failure();
      if (failure === undefined || failure.reason === 'fenced' || failure.reason === 'closed') return true;
      if (this.#to.isOver()) return true;
      const problem = this.#outcome && this.#problem(failure);
      if (problem === undefined) return false;
      this.#drop(problem);
    }
  }

  /** Writes the end. @returns undefined if the record has one. */
  async #failure(): Promise<Failure | undefined> {
    if (this.#isDone) return undefined;
    try {
      await this.#to.write(this.#end);
      this.#isDone = true;
      return undefined;
    } catch (error) {
      const reason = stateFailureOf<StateFailure>(error);
      if (reason !== 'fenced') this.#to.report(error);
      return { reason, message: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Returns the error that replaces an outcome; undefined if the outcome waits for the state. */
  #problem({ reason, message }: Failure): string | undefined {
    const { clock, waiting } = this.#to;
    if (reason === 'too-large') return message;
    if (reason === 'quota') return unfit('the caller has used up its share');
    if (reason === undefined) return unfit('its text is not accepted');
    const isFull = reason === 'full';
    if (isFull && clock.now() - this.#began >= longest) return unfit('it is full');
    this.#free ??= waiting.add(this.#outcome?.size() ?? 0);
    if (this.#free !== undefined) return undefined;
    return unfit(isFull ? 'it is full' : 'it cannot be reached, and other results wait for it already');
  }

  /** Replaces the outcome by an error that needs little space. */
  #drop(message: string): void {
    this.#outcome = undefined;
    this.#end = this.#to.instead(message);
    this.#free?.();
  }
}

/** The space for outcomes that the state does not accept now. */
export class WaitingOutcomes {
  #size = 0;

  /** @returns the function that frees the space; undefined if there is not enough. */
  add(size: number): (() => void) | undefined {
    if (this.#size + size > waitingSize) return undefined;
    this.#size += size;
    let held = size;
    return () => {
      this.#size -= held;
      held = 0;
    };
  }
}

/** A failure to write an end. */
interface Failure {
  readonly reason: StateFailure | undefined;
  readonly message: string;
}

function unfit(why: string): string {
  return `The result does not fit into the state of the server: ${why}.`;
}
