import type { ClientAnswer, SuspendedCall } from '@tenon/mcp-protocol';
import { isOverQuota } from '@tenon/mcp-protocol/internal';
import { StateError } from '@tenon/mcp-state';
import { untilReached } from '@tenon/mcp-state/internal';
import { waits } from '../exchange/http-exchange.js';
import type { SharedStreamKey } from '../streams/shared-stream-key.js';
import type { CallLeaseSettings } from './call-lease.js';
import { askedKeyOf, callKeyOf, type KeptCall, keysOf, running, withAnswers } from './kept-call.js';

/** The dependencies of {@link KeptCalls}. */
export interface KeptCallsSettings extends CallLeaseSettings {
  /** Milliseconds for which a suspended call is kept. */
  readonly kept: number;
  /** Delivers an answer that another process has accepted to the handler in this process. */
  readonly deliver: (session: string, message: unknown) => void;
  /** True for a request that may be handled again if the process that handled it has ended. */
  readonly isRepeatable: (message: unknown) => boolean;
}

/** Attempts to change the state of a call that other processes change at the same time. */
const attempts = 10;
/** Milliseconds after which an answer is not accepted if the record of its call could not be written. */
const longestAnswer = 10_000;
/** Another process handles the call. */
const taken = Symbol('taken');

/** The records of the calls that this process handles. */
export class KeptCalls {
  readonly #settings: KeptCallsSettings;
  /** The last write of each call that this process keeps, with its version: later ones wait for it. */
  readonly #writes = new Map<string, Promise<string | undefined | typeof taken>>();
  /** The calls of this process that wait for input, by session and key. */
  readonly #waiting = new Map<string, Map<string, WaitingCall>>();
  /** The answers that wait until the record of their call has been written, by the key of the input request. */
  readonly #answers = new Map<string, KeptAnswer>();

  constructor(settings: KeptCallsSettings) {
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
    const answered = this.#waits(key, call);
    const written = await write;
    for (const asked of answered) this.#answers.get(asked)?.end();
    if (this.#writes.get(name) === write && (call === undefined || written === taken)) {
      this.#writes.delete(name);
      this.#waits(key, undefined);
    }
    return written !== taken;
  }

  /**
   * Resolves when the record of a call shows that an input request of this process has its answer: an answer is accepted when the
   * end of this process cannot lose it. Undefined if no call waits for the answer. Rejects with a StateError if the state is away.
   */
  answered(session: string, id: string): Promise<void> | undefined {
    const asked = askedKeyOf(session, id);
    const known = this.#answers.get(asked);
    if (known !== undefined) return known.kept;
    const calls = [...(this.#waiting.get(session)?.values() ?? [])];
    if (!calls.some(({ keys }) => keys.includes(asked))) return undefined;
    let end = (): void => {};
    const kept = new Promise<void>((resolve, reject) => {
      const late = () => {
        this.#answers.delete(asked);
        reject(
          new StateError('unavailable', 'State: the answer to an input request could not be kept in time.'),
        );
      };
      const stop = this.#settings.clock.schedule(late, longestAnswer);
      end = () => {
        stop();
        this.#answers.delete(asked);
        resolve();
      };
    });
    this.#answers.set(asked, { kept, end });
    return kept;
  }

  /** Continues the record of a call of another process: later writes depend on this version. */
  adopt(key: SharedStreamKey, version: string): void {
    this.#writes.set(callKeyOf(key), Promise.resolve(version));
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

  get #id(): string {
    return this.#settings.cluster.id;
  }

  /** Notes that a call waits for input, or does not any more. @returns the keys that it waited for before, and does not any more. */
  #waits(key: SharedStreamKey, call: SuspendedCall | undefined): readonly string[] {
    const name = callKeyOf(key);
    const ofSession = this.#waiting.get(key.session) ?? new Map<string, WaitingCall>();
    const before = ofSession.get(name)?.keys ?? [];
    if (call === undefined || !waits(call)) ofSession.delete(name);
    else {
      const { clock, kept } = this.#settings;
      ofSession.set(name, { keys: keysOf(key, call), renewAt: clock.now() + kept / 3 });
    }
    if (ofSession.size === 0) this.#waiting.delete(key.session);
    else this.#waiting.set(key.session, ofSession);
    const now = ofSession.get(name)?.keys ?? [name];
    return before.filter((one) => !now.includes(one));
  }

  /** While the state cannot be reached, no other process can continue the call either: this one waits. */
  #untilReached<T>(write: () => Promise<T>): Promise<T | typeof taken> {
    const { clock, onError } = this.#settings;
    const report = (error: unknown) => onError(error, 'state');
    return untilReached({ clock, report }, write).catch((error: unknown) => {
      if (isOverQuota(error)) throw error;
      report(error);
      return taken;
    });
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
}

/** An answer that waits until the record of its call has been written. */
interface KeptAnswer {
  readonly kept: Promise<void>;
  readonly end: () => void;
}

/** The keys of a call that waits for input. */
interface WaitingCall {
  readonly keys: readonly string[];
  /** The time on the clock at which the keys are renewed. */
  renewAt: number;
}
