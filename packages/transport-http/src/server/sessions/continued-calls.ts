import { type CallHistory, type ClientAnswer, ErrorCode, type SuspendedCall } from '@tenon/mcp-protocol';
import { detach, errorFrame, isObject, isOverQuota, isRequestId } from '@tenon/mcp-protocol/internal';
import { waits } from '../exchange/http-exchange.js';
import type { LogEventStore } from '../streams/log-event-store.js';
import type { SharedStreamKey } from '../streams/shared-streams.js';
import { CallLease, type CallLeaseSettings } from './call-lease.js';
import { ContinuedExchange } from './continued-exchange.js';
import type { HttpSession } from './http-session.js';

/** The dependencies of {@link ContinuedCalls}. */
export interface ContinuedCallsSettings extends CallLeaseSettings {
  readonly logs: LogEventStore;
  /** Milliseconds for which a suspended call is kept. */
  readonly kept: number;
  /** Wakes the readers of a stream in all processes. */
  readonly wake: (key: SharedStreamKey) => void;
  /** Delivers an answer that another process has accepted to the handler in this process. */
  readonly deliver: (session: string, message: unknown) => void;
  /** True for a request that may be handled again if the process that handled it has ended. */
  readonly isRepeatable: (message: unknown) => boolean;
}

/** The state of a call in kv. */
interface KeptCall extends SuspendedCall {
  /** The process that handles the call. */
  readonly process: string;
  readonly message?: unknown;
}

/** Attempts to change the state of a call that other processes change at the same time. */
const attempts = 10;
/** Attempts to reach the state before a call is left, and the milliseconds between them. */
const unreachedAttempts = 60;
const unreachedWait = 500;
/** Another process handles the call. */
const taken = Symbol('taken');

/** The calls of processes that have ended: this process continues them, or answers them with an error. */
export class ContinuedCalls {
  readonly #settings: ContinuedCallsSettings;
  /** The last write of each call that this process keeps, with its version: later ones wait for it. */
  readonly #writes = new Map<string, Promise<string | undefined | typeof taken>>();
  /** The calls of this process that wait for input, by session and key. */
  readonly #waiting = new Map<string, Map<string, WaitingCall>>();

  constructor(settings: ContinuedCallsSettings) {
    this.#settings = settings;
  }

  /**
   * Keeps the state of a call that waits for input, or of one that may be repeated and goes on with its answers; undefined: the call
   * has ended. Reports a failure of the state.
   * @returns false if another process has continued the call: it has taken this one for gone.
   */
  async keep(key: SharedStreamKey, message: unknown, given: SuspendedCall | undefined): Promise<boolean> {
    const name = callKeyOf(key);
    if (given === undefined && !this.#writes.has(name)) return true;
    const isKept = given !== undefined && (waits(given) || this.#settings.isRepeatable(message));
    const call = isKept ? given : undefined;
    const before = this.#writes.get(name) ?? Promise.resolve(undefined);
    const write = before.then((version) =>
      this.#untilReached(() =>
        this.#write(key, version, call && { ...call, message, process: this.#id }),
      ).catch((error: unknown) => {
        if (!isOverQuota(error)) throw error;
        // The caller has used up its share: the call goes on here, and no other process could continue it.
        return version;
      }),
    );
    this.#writes.set(name, write);
    this.#waits(key, call);
    const written = await write;
    if (this.#writes.get(name) === write && (call === undefined || written === taken)) {
      this.#writes.delete(name);
      this.#waits(key, undefined);
    }
    return written !== taken;
  }

  /**
   * Extends the time of what is kept of the calls of a session that wait for input in this process. Call it while the session is in use:
   * it does nothing for a call until a third of its time is over.
   */
  async renew(session: string): Promise<void> {
    const { cluster, clock, kept } = this.#settings;
    const now = clock.now();
    const due = [...(this.#waiting.get(session)?.values() ?? [])].filter((call) => now >= call.renewAt);
    for (const call of due) call.renewAt = now + kept / 3;
    await Promise.all(due.flatMap(({ keys }) => keys.map((key) => cluster.state.kv.touch(key, kept))));
  }

  /**
   * Continues the call that waits for an answer, after its process has ended.
   * @returns false if no call waits for the answer.
   */
  async answer(session: HttpSession, message: unknown): Promise<boolean> {
    if (!isObject(message) || typeof message.id !== 'string') return false;
    const { kv } = this.#settings.cluster.state;
    const place = await kv.get(askedKeyOf(session.id, message.id));
    const key = place && streamKeyIn(session.id, place.value);
    if (key === undefined) return false;
    for (;;) {
      const found = await kv.get(callKeyOf(key));
      if (found === undefined) return false;
      const { waiting, answers, ...rest } = JSON.parse(found.value) as KeptCall;
      const { [message.id]: answered, ...others } = waiting;
      if (answered === undefined) return false;
      const answer = 'error' in message ? { error: message.error } : { result: message.result };
      const call = { ...rest, waiting: others, answers: { ...answers, [answered]: answer } } as KeptCall;
      // The version decides which of several processes continues the call. The record then shows it to the process that had it.
      const isLast = Object.keys(others).length === 0;
      // If this process ends as well, a tool that may be repeated runs again with the answers.
      const next = isLast ? { ...call, process: this.#id } : call;
      if (!(await this.#replace(key, next, found.version))) continue;
      // A process that drains leaves the call to the one that has the client's stream.
      if (isLast && !session.draining)
        detach(this.#run(session, key, call), (error) => this.#settings.onError(error, 'state'));
      return true;
    }
  }

  /** Continues or ends the requests of a stream after its process has ended, unless another process does. */
  async succeed(session: HttpSession, key: SharedStreamKey): Promise<void> {
    const { cluster, logs } = this.#settings;
    // A call that waits goes on with its answer.
    const found = await cluster.state.kv.get(callKeyOf(key));
    const kept = found && (JSON.parse(found.value) as KeptCall);
    if (kept !== undefined && waits(kept)) {
      // The process that renewed it is gone, and the client still has the stream.
      await Promise.all(keysOf(key, kept).map((one) => cluster.state.kv.touch(one, this.#settings.kept)));
      return;
    }
    const lease = new CallLease(leaseNameOf(key), this.#settings);
    if (!(await lease.acquire())) return;
    try {
      const name = logs.keyOf(key, key.process);
      const opening = await logs.opening(name);
      if (opening === undefined || (await this.#isAnswered(name))) return;
      const { ids, message } = opening;
      if (message !== undefined) {
        const next = { ...kept, process: this.#id } as KeptCall;
        if (found !== undefined && !(await this.#replace(key, next, found.version))) return;
        await this.#handle(session, key, { message, history: kept, lease });
        return;
      }
      for (const [index, id] of ids.entries())
        if (isRequestId(id)) await logs.appendTo(name, errorFrame(id, lost), index === ids.length - 1);
      this.#settings.wake(key);
    } finally {
      await lease.release();
    }
  }

  get #id(): string {
    return this.#settings.cluster.id;
  }

  /** Notes that a call waits for input, or does not any more. */
  #waits(key: SharedStreamKey, call: SuspendedCall | undefined): void {
    const name = callKeyOf(key);
    const ofSession = this.#waiting.get(key.session) ?? new Map<string, WaitingCall>();
    if (call === undefined || !waits(call)) ofSession.delete(name);
    else {
      const { clock, kept } = this.#settings;
      ofSession.set(name, { keys: keysOf(key, call), renewAt: clock.now() + kept / 3 });
    }
    if (ofSession.size === 0) this.#waiting.delete(key.session);
    else this.#waiting.set(key.session, ofSession);
  }

  /**
   * Replaces the state of a call of another process. If this process has the call then, later writes depend on this one.
   * @returns false if the state has changed.
   */
  async #replace(key: SharedStreamKey, call: KeptCall, expected: string): Promise<boolean> {
    const { cluster, kept: ttl } = this.#settings;
    const name = callKeyOf(key);
    const version = await cluster.state.kv.compareAndSet(name, JSON.stringify(call), { expected, ttl });
    if (version !== undefined && call.process === this.#id) this.#writes.set(name, Promise.resolve(version));
    return version !== undefined;
  }

  /** While the state cannot be reached, no other process can continue the call either: this one waits. */
  async #untilReached<T>(write: () => Promise<T>): Promise<T | typeof taken> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await write();
      } catch (error) {
        if (isOverQuota(error)) throw error;
        this.#settings.onError(error, 'state');
        if (attempt >= unreachedAttempts) return taken;
        await new Promise<void>((resolve) => this.#settings.clock.schedule(resolve, unreachedWait));
      }
    }
  }

  /** @returns the version of the record; undefined without a record. */
  async #write(
    key: SharedStreamKey,
    before: string | undefined | typeof taken,
    call: KeptCall | undefined,
  ): Promise<string | undefined | typeof taken> {
    if (before === taken) return taken;
    const name = callKeyOf(key);
    // The process of the stream may only be slow: what it finds must say that it has lost the call.
    const next = call ?? (key.process === this.#id ? undefined : running(this.#id));
    const places = call && this.#writePlaces(key, call);
    const accepted = new Map<string, ClientAnswer>();
    const [written] = await Promise.all([this.#writeRecord(name, next, { before, accepted }), places]);
    if (written !== taken)
      for (const [id, answer] of accepted)
        this.#settings.deliver(key.session, { jsonrpc: '2.0', id, ...answer });
    return written;
  }

  /** @param accepted - receives the answers that other processes have accepted, by the id of the input request. */
  async #writeRecord(
    name: string,
    call: KeptCall | undefined,
    {
      before,
      accepted,
    }: { readonly before: string | undefined; readonly accepted: Map<string, ClientAnswer> },
  ): Promise<string | undefined | typeof taken> {
    let next = call;
    const { cluster, kept: ttl } = this.#settings;
    const { kv } = cluster.state;
    let expected = before;
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (next !== undefined) {
        const version = await kv.compareAndSet(name, JSON.stringify(next), { expected, ttl });
        if (version !== undefined) return version;
      } else if (expected !== undefined && (await kv.delete(name, expected))) return undefined;
      const found = await kv.get(name);
      const kept = found && (JSON.parse(found.value) as KeptCall);
      if (kept !== undefined && kept.process !== this.#id) return taken;
      if (kept === undefined && next === undefined) return undefined;
      if (kept !== undefined && next !== undefined) next = withAnswers(next, kept, accepted);
      expected = found?.version;
    }
    return expected;
  }

  /** Writes where the answers to the input requests of a call belong. */
  async #writePlaces({ session, process, stream }: SharedStreamKey, { waiting }: KeptCall): Promise<void> {
    const { cluster, kept: ttl } = this.#settings;
    await Promise.all(
      Object.keys(waiting).map((id) =>
        cluster.state.kv.put(askedKeyOf(session, id), `${process}/${stream}`, { ttl }),
      ),
    );
  }

  /** True if the last event of a stream is in its log. */
  async #isAnswered(name: string): Promise<boolean> {
    // The opening at position 1 can fill a page.
    for (let after = 1; ; ) {
      const { events, last } = await this.#settings.logs.read(name, after);
      const newest = events.at(-1);
      if (newest?.last === true) return true;
      if (newest === undefined || newest.sequence >= last) return false;
      after = newest.sequence;
    }
  }

  async #run(
    session: HttpSession,
    key: SharedStreamKey,
    { message, answers, steps }: KeptCall,
  ): Promise<void> {
    const lease = new CallLease(leaseNameOf(key), this.#settings);
    // Another process is ending the stream: it has found no call that waits.
    if (!(await lease.acquire())) return;
    try {
      await this.#handle(session, key, { message, history: { answers, steps }, lease });
    } finally {
      await lease.release();
    }
  }

  async #handle(session: HttpSession, key: SharedStreamKey, call: ContinuedCall): Promise<void> {
    const { logs, wake, onError } = this.#settings;
    const { message, history, lease } = call;
    const name = logs.keyOf(key, key.process);
    let appended: Promise<unknown> = Promise.resolve();
    let kept: Promise<boolean> = Promise.resolve(true);
    const exchange = new ContinuedExchange(session, {
      history,
      append: (frame, last) => {
        appended = appended
          .then(() => logs.appendTo(name, frame, last))
          .then(() => wake(key))
          .catch((error: unknown) => onError(error, 'state'));
        return appended.then(() => undefined);
      },
      keep: (suspended) => {
        kept = kept.then(async () => {
          const isWaiting = suspended !== undefined && waits(suspended);
          if (!isWaiting) await lease.acquire().catch((error) => onError(error, 'state'));
          const isKept = await this.keep(key, message, suspended);
          if (isWaiting) await lease.release().catch((error) => onError(error, 'state'));
          return isKept;
        });
        return kept;
      },
    });
    await exchange.finish(await session.receiver.receive(message, exchange));
  }
}

/** The keys of a call that waits for input. */
interface WaitingCall {
  readonly keys: readonly string[];
  /** The time on the clock at which the keys are renewed. */
  renewAt: number;
}

interface ContinuedCall {
  readonly message: unknown;
  readonly history?: CallHistory | undefined;
  readonly lease: CallLease;
}

const lost = {
  code: ErrorCode.internalError,
  message: 'The process that handled this request has ended. Whether the request had an effect is not known.',
};

/** Returns the record of a call that runs again at another process than the one of its stream. */
function running(process: string): KeptCall {
  return { process, answers: {}, steps: {}, waiting: {} };
}

/** Returns the state of a call with the answers that other processes have accepted, because they took this one for gone. */
function withAnswers(call: KeptCall, kept: KeptCall, accepted: Map<string, ClientAnswer>): KeptCall {
  const waiting = { ...call.waiting };
  const answers = { ...call.answers };
  for (const [id, key] of Object.entries(call.waiting)) {
    const answer = Object.hasOwn(kept.answers, key) ? kept.answers[key] : undefined;
    if (answer === undefined) continue;
    delete waiting[id];
    answers[key] = answer;
    accepted.set(id, answer);
  }
  return { ...call, waiting, answers };
}

/** Returns the keys of a call that waits for input. */
function keysOf(key: SharedStreamKey, { waiting }: SuspendedCall): string[] {
  return [callKeyOf(key), ...Object.keys(waiting).map((id) => askedKeyOf(key.session, id))];
}

function callKeyOf({ session, process, stream }: SharedStreamKey): string {
  return `session/${session}/call/${process}/${stream}`;
}

function askedKeyOf(session: string, id: string): string {
  return `session/${session}/asked/${id}`;
}

function leaseNameOf({ session, process, stream }: SharedStreamKey): string {
  return `call/${session}.${process}.${stream}`;
}

function streamKeyIn(session: string, place: string): SharedStreamKey | undefined {
  const match = /^([a-z2-7]{12})\/(\d{1,15})$/.exec(place);
  return match === null ? undefined : { session, process: match[1] as string, stream: Number(match[2]) };
}
