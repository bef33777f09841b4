import { type Cancel, type Clock, detach, follow } from '@tenon/foundation';
import { namedState } from '../named-state.js';
import { quotaOn } from '../quota/caller-quota.js';
import {
  type JoinSettings,
  type Processes,
  type ProcessMessageHandler,
  type State,
  StateError,
} from '../state.js';
import { type ProcessMessage, readProcessMessage } from './process-message.js';

/** The other process has left or did not answer: it has ended, or it is cut off. */
export class ProcessGoneError extends Error {
  override readonly name = 'ProcessGoneError';
}

/** The topic that every process reads. */
const everyone = 'cluster/nodes';
/** Requests to other processes that wait for an answer at the same time. */
const mostWaiting = 10_000;
/** The kind of the last message of a process. */
const leaving = 'left';
/** Processes that left, remembered at the same time: requests to others wait for an answer. */
const mostLeft = 1_000;
const resubscribeAfter = 1_000;
/** Milliseconds after an interruption in which other processes may not have connected again: adapters pause for up to two seconds. */
const settling = 5_000;
/** Milliseconds for which the state keeps the id of a process, and after which a process that sends messages renews it. */
const idLifetime = 30 * 86_400_000;
const renewIdAfter = 86_400_000;
/** Ids of other processes that are remembered. */
const mostKnown = 1_000;

interface Waiting {
  readonly process: string;
  readonly resolve: (body: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Stops the timer. */
  stop: Cancel;
}

/** A process with two topics, whatever the number of its sessions: its own, and one that all read. */
class BusProcesses implements Processes {
  readonly id: string = newProcessId();
  readonly state: State;
  readonly joined: Promise<void>;
  readonly #clock: Clock;
  readonly #onError: JoinSettings['onError'];
  readonly #patience: number;
  readonly #handlers = new Map<string, Set<ProcessMessageHandler>>();
  readonly #gapListeners = new Set<() => void>();
  readonly #waiting = new Map<number, Waiting>();
  readonly #left = new Set<string>();
  readonly #unsubscribe: (() => Promise<void>)[] = [];
  /** Other processes with ids that are known to be real: clients send ids too. */
  readonly #known = new Set<string>();
  #lastRequest = 0;
  /** The time on the clock at which the id was last written. */
  #keptAt = Number.NEGATIVE_INFINITY;
  /** The time on the clock until which a process without an answer may only be cut off. */
  #settledAt = Number.NEGATIVE_INFINITY;
  #stopRetry: Cancel | undefined;
  /** The error of the last attempt to join, until the next one begins, and the callers that wait for the present one. */
  #failure: unknown;
  readonly #joining = new Set<(error: unknown) => void>();
  #hasJoined = false;
  #stopKeeping: Cancel | undefined;
  #closed = false;

  constructor(state: State, { clock, onError, patience = 2_000 }: JoinSettings) {
    this.state = state;
    this.#clock = clock;
    this.#onError = onError;
    this.#patience = patience;
    this.joined = this.#subscribe();
    // Callers that need other processes wait for it and see the error.
    detach(this.joined, () => {});
  }

  waitUntilJoined(): Promise<void> {
    if (this.#hasJoined) return this.joined;
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#joining.add(reject);
      follow(this.joined, resolve, reject);
    });
  }

  handle(kind: string, handler: ProcessMessageHandler): () => void {
    const handlers = this.#handlers.get(kind) ?? new Set();
    this.#handlers.set(kind, handlers.add(handler));
    return () => handlers.delete(handler);
  }

  onGap(listener: () => void): () => void {
    this.#gapListeners.add(listener);
    return () => this.#gapListeners.delete(listener);
  }

  async request(process: string, kind: string, body: unknown): Promise<unknown> {
    await this.waitUntilJoined();
    if (this.#closed) throw left();
    if (this.#left.has(process)) throw hasLeft(process);
    if (this.#waiting.size >= mostWaiting)
      throw new StateError('full', `State: ${mostWaiting} messages to other processes wait for an answer.`);
    const number = ++this.#lastRequest;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(number, { process, resolve, reject, stop: () => {} });
    });
    detach(this.#ask(process, { kind, from: this.id, number, body }), (error) =>
      this.#settle(number)?.reject(error),
    );
    return answer;
  }

  send(process: string, kind: string, body: unknown): void {
    detach(this.#publish(topicOf(process), { kind, from: this.id, body }), (error) =>
      this.#onError(error, kind),
    );
  }

  broadcast(kind: string, body: unknown): Promise<void> {
    return this.#publish(everyone, { kind, from: this.id, body });
  }

  async leave(): Promise<void> {
    // Others notice by themselves if the state does not answer.
    if (!this.#closed && this.state.status === 'ready')
      await this.broadcast(leaving, undefined).catch((error: unknown) => this.#onError(error, leaving));
    await this.close();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#stopRetry?.();
    this.#stopKeeping?.();
    for (const number of [...this.#waiting.keys()]) this.#settle(number)?.reject(left());
    await Promise.allSettled(this.#unsubscribe.map((unsubscribe) => unsubscribe()));
  }

  /** Subscribes to both topics and makes the id known, again until the state allows it. */
  async #subscribe(): Promise<void> {
    const steps = [
      () => this.#subscribeTo(topicOf(this.id)),
      () => this.#subscribeTo(everyone),
      () => this.#keepId(),
    ];
    for (const step of steps) {
      for (;;) {
        if (this.#closed) throw left();
        try {
          await step();
          break;
        } catch (error) {
          if (error instanceof StateError && error.reason === 'closed') throw error;
          if (this.#closed) throw left();
          this.#onError(error, 'state');
          this.#failed(error);
          await this.#pause();
          this.#failure = undefined;
        }
      }
    }
    if (this.#closed) throw left();
    this.#hasJoined = true;
    this.#joining.clear();
  }

  /** Rejects the callers that wait for the attempt to join: the next one may fail as well. */
  #failed(error: unknown): void {
    this.#failure = error;
    for (const reject of this.#joining) reject(error);
    this.#joining.clear();
  }

  async #subscribeTo(topic: string): Promise<void> {
    const subscriber = { message: (text: string) => this.#receive(text), gap: () => this.#missed() };
    const unsubscribe = await this.state.bus.subscribe(topic, subscriber);
    if (this.#closed) await unsubscribe();
    else this.#unsubscribe.push(unsubscribe);
  }

  /** Makes the id known to processes that have not received a message of this one. */
  async #keepId(): Promise<void> {
    this.#keptAt = this.#clock.now();
    await this.state.kv.put(topicOf(this.id), '1', { ttl: idLifetime });
  }

  /** Returns false for an id that no process had in the last weeks. */
  async #isReal(process: string): Promise<boolean> {
    if (this.#known.has(process)) return true;
    const isReal = (await this.state.kv.get(topicOf(process))) !== undefined;
    if (isReal) this.#know(process);
    return isReal;
  }

  #know(process: string): void {
    if (this.#known.has(process)) return;
    this.#known.add(process);
    for (const oldest of this.#known) {
      if (this.#known.size <= mostKnown) break;
      this.#known.delete(oldest);
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#clock.schedule(resolve, resubscribeAfter);
      this.#stopRetry = () => {
        stop();
        resolve();
      };
    });
  }

  /** Publishes a request, and rejects it if no answer arrives in time. */
  async #ask(process: string, message: ProcessMessage & { readonly number: number }): Promise<void> {
    const { number } = message;
    if (!(await this.#isReal(process))) {
      this.#settle(number)?.reject(this.#noAnswerOf(process, 'There is no process with this id'));
      return;
    }
    await this.#publish(topicOf(process), message);
    // Not before: a slow state says nothing about the other process.
    const due = this.#clock.now() + this.#patience;
    await this.#waitFor(number, this.#patience);
    // After a pause of this process or of the state the answer may not have been read yet: as much time again.
    await this.#publish(topicOf(this.id), { kind: 'probe', from: this.id });
    await this.#waitFor(number, Math.min(this.#patience, this.#clock.now() - due));
    const problem = `The process did not answer within ${this.#patience} ms`;
    this.#settle(number)?.reject(this.#noAnswerOf(process, problem));
  }

  /** Waits while a request has no answer. Never resolves if the answer arrives. */
  #waitFor(number: number, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(number);
      if (waiting !== undefined) waiting.stop = this.#clock.schedule(resolve, ms);
    });
  }

  #publish(topic: string, message: ProcessMessage): Promise<void> {
    if (this.#clock.now() - this.#keptAt >= renewIdAfter) this.#keepIdAgain();
    return this.state.bus.publish(topic, JSON.stringify(message));
  }

  #receive(text: string): void {
    const message = readProcessMessage(text);
    if (message === undefined) {
      this.#onError(
        new TypeError('The bus delivered a message that no process of this kind sends.'),
        'state',
      );
      return;
    }
    if (message.from === this.id) return;
    this.#know(message.from);
    if (message.kind === undefined) this.#answered(message);
    else if (message.kind === leaving) this.#hasLeft(message.from);
    else detach(this.#serve(message.kind, message), (error) => this.#onError(error, message.kind ?? 'state'));
  }

  /** Not awaited by the subscription: a slow handler must not delay other messages. */
  async #serve(kind: string, { from, number, body }: ProcessMessage): Promise<void> {
    const answer: { from: string; body?: unknown; error?: string } = { from: this.id };
    try {
      for (const handler of this.#handlers.get(kind) ?? []) {
        const own: unknown = await handler(body, from);
        answer.body ??= own;
        if (number !== undefined && own !== undefined) break;
      }
    } catch (error) {
      this.#onError(error, kind);
      answer.error = error instanceof Error ? error.message : 'The process failed.';
    }
    if (number !== undefined) await this.#publish(topicOf(from), { ...answer, answers: number });
  }

  #answered({ answers, body, error }: ProcessMessage): void {
    const waiting = answers === undefined ? undefined : this.#settle(answers);
    if (error === undefined) waiting?.resolve(body);
    else waiting?.reject(new Error(error));
  }

  /** Rejects the requests to a process that has left, now and later. */
  #hasLeft(process: string): void {
    this.#left.add(process);
    for (const oldest of this.#left) {
      if (this.#left.size <= mostLeft) break;
      this.#left.delete(oldest);
    }
    for (const [number, waiting] of this.#waiting)
      if (waiting.process === process) this.#settle(number)?.reject(hasLeft(process));
  }

  #settle(number: number): Waiting | undefined {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    waiting?.stop();
    return waiting;
  }

  /** A process that is taken for gone has its calls continued: only if nothing suggests that the process lives. */
  #noAnswerOf(process: string, what: string): Error {
    const problem = `${what}: ${process}.`;
    if (this.state.status === 'ready' && this.#clock.now() >= this.#settledAt)
      return new ProcessGoneError(problem);
    return new StateError('unavailable', `State: it was interrupted. ${problem}`);
  }

  /** Writes the id again, until the state has it: requests of other processes would take this one for gone. */
  #keepIdAgain(): void {
    this.#stopKeeping?.();
    detach(this.#keepId(), (error) => {
      this.#onError(error, 'state');
      this.#stopKeeping?.();
      if (!this.#closed)
        this.#stopKeeping = this.#clock.schedule(() => this.#keepIdAgain(), resubscribeAfter);
    });
  }

  #missed(): void {
    // The state may have lost the id.
    this.#keepIdAgain();
    this.#settledAt = this.#clock.now() + settling;
    for (const listener of this.#gapListeners) {
      try {
        listener();
      } catch (error) {
        this.#onError(error, 'state');
      }
    }
  }
}

/**
 * Joins the processes that share a state: the `join` of an adapter's state. With a name in the settings, only those with a server of
 * that name.
 */
export function joinProcesses(state: State, settings: JoinSettings): Processes {
  const { name, clock, onError, bytesPerCaller: bytes } = settings;
  const own = name === undefined ? state : namedState(state, name);
  quotaOn(own, { clock, onError, bytes });
  return new BusProcesses(own, settings);
}

function left(): StateError {
  return new StateError('closed', 'State: this process has left the other processes.');
}

function hasLeft(process: string): ProcessGoneError {
  return new ProcessGoneError(`The process ${process} has left.`);
}

function topicOf(process: string): string {
  return `node/${process}`;
}

const letters = 'abcdefghijklmnopqrstuvwxyz234567';

/** Twelve letters of five random bits each. */
function newProcessId(): string {
  let id = '';
  for (const byte of crypto.getRandomValues(new Uint8Array(12))) id += letters[byte & 31];
  return id;
}
