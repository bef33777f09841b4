import { detach, pause } from '@tenon/foundation';
import {
  type CallHistory,
  type ClientAnswer,
  ErrorCode,
  eventText,
  type SuspendedCall,
} from '@tenon/mcp-protocol';
import { errorFrame, isObject, isRequestId } from '@tenon/mcp-protocol/internal';
import { HeldLease, type SeenValue, untilReached } from '@tenon/mcp-state/internal';
import { waits } from '../exchange/http-exchange.js';
import type { LogEventStore } from '../streams/log-event-store.js';
import type { SharedStreamKey } from '../streams/shared-stream-key.js';
import { ContinuedExchange } from './continued-exchange.js';
import type { HttpSession } from './http-session.js';
import {
  askedKeyOf,
  callKeyOf,
  type KeptCall,
  keysOf,
  leaseNameOf,
  readCall,
  running,
  streamKeyIn,
  withAnswer,
} from './kept-call.js';
import type { KeptCalls, KeptCallsSettings } from './kept-calls.js';

/** The dependencies of {@link ContinuedCalls}. */
export interface ContinuedCallsSettings extends KeptCallsSettings {
  readonly logs: LogEventStore;
  /** Wakes the readers of a stream in all processes. */
  readonly wake: (key: SharedStreamKey) => void;
}

/** Attempts to acquire the lease of a call that another process holds: they take longer than the lease of a process that has ended. */
const leaseAttempts = 60;
/** Milliseconds between two of them. */
const leasePause = 500;

/**
 * The calls of processes that have ended: this process continues them, or answers them with an error.
 *
 * The process that accepts the last answer writes it into the record. From then on any process may continue the call, and the client
 * has its 202. A process decides what becomes of a call while it holds the lease of the call: it reads the record, replaces this version
 * by one that says that it handles the call, and only then begins, or appends the error. So an answer and a resumption that arrive at
 * the same time have one outcome, and if a process ends before it has replaced the record, the next one decides.
 */
export class ContinuedCalls {
  readonly #settings: ContinuedCallsSettings;
  readonly #own: KeptCalls;
  /** The calls that this process continues. */
  readonly #running = new Set<Promise<void>>();

  /** @param own - the records of the calls that this process handles. */
  constructor(settings: ContinuedCallsSettings, own: KeptCalls) {
    this.#settings = settings;
    this.#own = own;
  }

  /**
   * Accepts an answer for a call after its process has ended, and continues the call after the last answer.
   * @returns false if no call waits for the answer.
   */
  async answer(session: HttpSession, message: unknown): Promise<boolean> {
    if (!isObject(message) || typeof message.id !== 'string') return false;
    const { kv } = this.#settings.processes.state;
    const place = await kv.get(askedKeyOf(session.id, message.id));
    const key = place && streamKeyIn(session.id, place.value);
    if (key === undefined) return false;
    const answer = 'error' in message ? { error: message.error } : { result: message.result };
    const { id } = message;
    let call: KeptCall | undefined;
    await this.#own.change(key, { last: undefined }, (found) => {
      call = found && withAnswer(found, id, answer as ClientAnswer);
      // The record shows the process that had the call, which may only be slow, that it has lost the call.
      if (call !== undefined && !waits(call)) call = { ...call, process: this.#id };
      return call ?? found;
    });
    // A process that drains leaves the call to the one that has the client's stream.
    if (call !== undefined && !waits(call) && !session.draining)
      detach(this.#goOn(session, key), (error) => this.#settings.onError(error, 'state'));
    return call !== undefined;
  }

  /** Continues or ends the requests of a stream after its process has ended, unless another process does. */
  async succeed(session: HttpSession, key: SharedStreamKey): Promise<void> {
    // A call that waits goes on with its answer.
    const { processes, kept: ttl } = this.#settings;
    const found = await processes.state.kv.get(callKeyOf(key));
    const kept = found && readCall(found.value);
    if (kept !== undefined && waits(kept)) {
      // The process that renewed it is gone, and the client still has the stream.
      await Promise.all(keysOf(key, kept).map((one) => processes.state.kv.touch(one, ttl)));
      return;
    }
    const call = await this.#decide(key);
    if (typeof call === 'object')
      detach(this.#handle(session, key, call), (error) => this.#settings.onError(error, 'http'));
  }

  /** Resolves when the calls that this process continues have their ends in the state. */
  ended(): Promise<unknown> {
    return Promise.all(this.#running);
  }

  get #id(): string {
    return this.#settings.processes.id;
  }

  #untilReached<T>(work: () => Promise<T>): Promise<T> {
    const { clock, onError } = this.#settings;
    return untilReached({ clock, report: (error) => onError(error, 'state') }, work);
  }

  /** Continues a call with its last answer. Another process may hold the lease for a moment, or end while it does. */
  async #goOn(session: HttpSession, key: SharedStreamKey): Promise<void> {
    for (let attempt = 0; attempt < leaseAttempts; attempt++) {
      const call = await this.#untilReached(() => this.#decide(key));
      if (typeof call === 'object') return this.#handle(session, key, call);
      if (call !== 'held') return;
      await pause(this.#settings.clock, leasePause);
    }
  }

  /**
   * Decides under the lease of a call what becomes of it, and ends its stream if it is lost.
   * @returns the call, if this process handles it from now on; `held` if another process holds the lease.
   */
  async #decide(key: SharedStreamKey): Promise<ContinuedCall | 'held' | undefined> {
    const lease = await this.#lease(key);
    if (lease === undefined) return 'held';
    let call: ContinuedCall | undefined;
    try {
      call = await this.#taken(key, lease);
      return call;
    } finally {
      if (call === undefined) await lease.release();
    }
  }

  #lease(key: SharedStreamKey): Promise<HeldLease | undefined> {
    const { processes, clock, onError } = this.#settings;
    const report = (error: unknown) => onError(error, 'state');
    return HeldLease.acquire({ leases: processes.state.leases, clock, report }, leaseNameOf(key));
  }

  async #taken(key: SharedStreamKey, lease: HeldLease): Promise<ContinuedCall | undefined> {
    const { isRepeatable, logs, onError } = this.#settings;
    const name = logs.keyOf(key, key.process);
    const firstEntry = await logs.readFirstEntry(name);
    const { isAnswered, last } = await logs.end(name);
    if (isAnswered) return undefined;
    let history: KeptCall | undefined;
    let message: unknown;
    const seen: SeenValue = { last: undefined };
    await this.#own.change(key, seen, (found) => {
      history = found;
      if (found === undefined || waits(found)) return found;
      message = found.message ?? firstEntry?.message;
      // If this process ends as well, a tool that may run again does so with the answers.
      return message !== undefined && isRepeatable(message)
        ? { ...found, process: this.#id }
        : running(this.#id);
    });
    if (history === undefined) message = firstEntry?.message;
    else if (waits(history)) return undefined;
    if (message === undefined && firstEntry === undefined) return undefined;
    if (message === undefined) {
      await this.#lose(key, firstEntry?.ids ?? []);
      return undefined;
    }
    if (history !== undefined) this.#own.adopt(key, seen);
    const problem = `Process ${key.process} has ended, or has left its call: continued here.`;
    onError(new Error(problem), 'continued call');
    this.#settings.events?.emit({ type: 'call-continued', ...nameIn(message) });
    return { message, history, lease, position: last };
  }

  /** Ends the stream of a call that may have had an effect, and may not run again. */
  async #lose(key: SharedStreamKey, given: readonly unknown[]): Promise<void> {
    const { logs, onError, wake } = this.#settings;
    const name = logs.keyOf(key, key.process);
    const ids = given.filter(isRequestId);
    for (const [index, id] of ids.entries())
      await logs.appendTo(name, errorFrame(id, lost), index === ids.length - 1);
    // The first entry with the ids is not kept of a very long stream: its connection ends.
    if (ids.length === 0) await logs.appendTo(name, '', true);
    wake(key);
    const problem = `Process ${key.process} has ended with a call that may not run again: its client receives an error.`;
    onError(new Error(problem), 'lost call');
    this.#settings.events?.emit({ type: 'call-lost' });
  }

  async #handle(session: HttpSession, key: SharedStreamKey, call: ContinuedCall): Promise<void> {
    const handled = this.#handleNow(session, key, call).finally(() => this.#running.delete(handled));
    this.#running.add(handled);
    return handled;
  }

  async #handleNow(session: HttpSession, key: SharedStreamKey, call: ContinuedCall): Promise<void> {
    const { message, history } = call;
    const held: Held = { lease: call.lease };
    let kept: Promise<boolean> = Promise.resolve(true);
    const exchange = new ContinuedExchange(session, {
      history,
      append: this.#appender(key, call.position),
      keep: (suspended) => {
        kept = kept.then(() => this.#keepUnder(held, key, { message, suspended }));
        return kept;
      },
    });
    try {
      await exchange.finish(await session.receiver.receive(message, exchange));
    } finally {
      await held.lease?.release();
    }
  }

  /** Keeps the state of a call that this process continues. It holds the lease while the handler does not wait. */
  async #keepUnder(
    held: Held,
    key: SharedStreamKey,
    { message, suspended }: { readonly message: unknown; readonly suspended: SuspendedCall | undefined },
  ): Promise<boolean> {
    const report = (error: unknown) => this.#settings.onError(error, 'state');
    const isWaiting = suspended !== undefined && waits(suspended);
    if (!isWaiting) await this.#hold(held, key).catch(report);
    const isKept = await this.#own.keep(key, message, suspended);
    if (!isWaiting) return isKept;
    const { lease } = held;
    held.lease = undefined;
    await lease?.release().catch(report);
    return isKept;
  }

  /** Acquires the lease, which another process may hold for a moment. Gives up if another process has the call. */
  async #hold(held: Held, key: SharedStreamKey): Promise<void> {
    const { kv } = this.#settings.processes.state;
    for (let attempt = 0; attempt < leaseAttempts; attempt++) {
      held.lease ??= await this.#untilReached(() => this.#lease(key));
      if (held.lease !== undefined) return;
      const found = await this.#untilReached(() => kv.get(callKeyOf(key)));
      if (found === undefined || readCall(found.value).process !== this.#id) return;
      await pause(this.#settings.clock, leasePause);
    }
  }

  /** Returns a function that appends frames to the stream of a call, one after the other, after a position that is known. */
  #appender(key: SharedStreamKey, known: number): (frame: string, last: boolean) => Promise<void> {
    const { logs, onError, wake } = this.#settings;
    const name = logs.keyOf(key, key.process);
    let position = known;
    const append = async (frame: string, last: boolean) => {
      let isRepeated = false;
      position = await this.#untilReached(async () => {
        // An attempt without an answer may have appended the frame.
        const earlier = isRepeated ? await logs.find(name, position, frame) : undefined;
        isRepeated = true;
        return earlier ?? logs.appendTo(name, frame, last);
      });
      wake(key);
    };
    let appended: Promise<void> = Promise.resolve();
    return (frame, last) => {
      appended = appended.then(() => append(frame, last)).catch((error: unknown) => onError(error, 'state'));
      return appended;
    };
  }
}

/** The lease of a call that this process continues: undefined while its handler waits for input. */
interface Held {
  lease: HeldLease | undefined;
}

interface ContinuedCall {
  readonly message: unknown;
  readonly history?: CallHistory | undefined;
  readonly lease: HeldLease;
  /** The position of the last event of its stream. */
  readonly position: number;
}

/** Returns the name of the tool that a message calls. */
function nameIn(message: unknown): { readonly name?: string } {
  const name = isObject(message) && isObject(message.params) ? message.params.name : undefined;
  return typeof name === 'string' ? { name: eventText(name) } : {};
}

const lost = {
  code: ErrorCode.internalError,
  message: 'The process that handled this request has ended. Whether the request had an effect is not known.',
};
