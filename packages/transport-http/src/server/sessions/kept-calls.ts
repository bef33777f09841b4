import { type Clock, detach, withinTime } from '@tenon/foundation';
import type { ClientAnswer, EventPort, SuspendedCall } from '@tenon/mcp-protocol';
import { addresseeOf, isOverQuota } from '@tenon/mcp-protocol/internal';
import { type Processes, type State, StateError } from '@tenon/mcp-state';
import { change, type SeenValue, untilReached } from '@tenon/mcp-state/internal';
import { waits } from '../exchange/http-exchange.js';
import type { SharedStreamKey } from '../streams/shared-stream-key.js';
import type { HttpSession } from './http-session.js';
import { askedKeyOf, callKeyOf, type KeptCall, keysOf, readCall, running, withAnswers } from './kept-call.js';

/** The dependencies of {@link KeptCalls}. */
export interface KeptCallsSettings {
  readonly processes: Pick<Processes, 'id'> & { readonly state: Pick<State, 'kv' | 'leases'> };
  readonly clock: Clock;
  readonly onError: (error: unknown, where: string) => void;
  readonly events: EventPort | undefined;
  /** Milliseconds for which a suspended call is kept. */
  readonly kept: number;
  /** Delivers an answer that another process has accepted to the handler in this process. */
  readonly deliver: (session: string, message: unknown) => void;
  /** True for a request that may be handled again if the process that handled it has ended. */
  readonly isRepeatable: (message: unknown) => boolean;
}

/** Milliseconds after which an answer is not accepted if the record of its call could not be written. */
const longestAnswer = 10_000;

/** The records of the calls that this process handles. */
export class KeptCalls {
  readonly #settings: KeptCallsSettings;
  /** The calls with a record that this process has written. */
  readonly #written = new Map<string, WrittenCall>();
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
    const written = this.#written.get(name) ?? { seen: { last: 'absent' }, writes: Promise.resolve(true) };
    if (given === undefined && !this.#written.has(name)) return true;
    this.#written.set(name, written);
    const isKept = given !== undefined && (waits(given) || this.#settings.isRepeatable(message));
    const call = isKept ? { ...given, message, process: this.#id } : undefined;
    const write = written.writes.then((isOwn) => isOwn && this.#write(key, written.seen, call));
    written.writes = write;
    const answered = this.#waits(key, call);
    const isOwn = await write;
    for (const asked of answered) this.#answers.get(asked)?.end();
    if (written.writes === write && (call === undefined || !isOwn)) {
      this.#written.delete(name);
      this.#waits(key, undefined);
    }
    return isOwn;
  }

  /**
   * Resolves when the answers in a message to input requests of this process are kept; undefined if there are none. Call it before the
   * message is received. Rejects with a StateError.
   */
  answersKept({ id, draining }: HttpSession, value: unknown): Promise<unknown> | undefined {
    // A process that drains has left its calls to others.
    if (draining) return undefined;
    const kept = (Array.isArray(value) ? value : [value]).flatMap((message) =>
      addresseeOf(message)?.answers === true ? (this.#answered(id, message.id) ?? []) : [],
    );
    if (kept.length === 0) return undefined;
    const all = Promise.all(kept);
    // The message may have no use for it after all.
    detach(all, () => {});
    return all;
  }

  /**
   * Resolves when the record of a call shows that an input request of this process has its answer: an answer is accepted when the
   * end of this process cannot lose it. Undefined if no call waits for the answer. Rejects with a StateError if the state is away.
   */
  #answered(session: string, id: string): Promise<void> | undefined {
    const asked = askedKeyOf(session, id);
    const known = this.#answers.get(asked);
    if (known !== undefined) return known.kept;
    const calls = [...(this.#waiting.get(session)?.values() ?? [])];
    if (!calls.some(({ keys }) => keys.includes(asked))) return undefined;
    let end = (): void => {};
    const written = new Promise<void>((resolve) => {
      end = resolve;
    });
    const late = () => {
      throw new StateError('unavailable', 'State: the answer to an input request could not be kept in time.');
    };
    const limit = { clock: this.#settings.clock, ms: longestAnswer };
    const kept = withinTime(written, limit, late).finally(() => this.#answers.delete(asked));
    this.#answers.set(asked, { kept, end });
    return kept;
  }

  /** Continues the record of a call of another process: later writes depend on its version. */
  adopt(key: SharedStreamKey, seen: SeenValue): void {
    this.#written.set(callKeyOf(key), { seen, writes: Promise.resolve(true) });
  }

  /**
   * Extends the time of what is kept of the calls of a session that wait for input in this process. Call it while the session is in use:
   * it does nothing for a call until a third of its time is over.
   */
  async renew(session: string): Promise<void> {
    const { processes, clock, kept } = this.#settings;
    const now = clock.now();
    const due = [...(this.#waiting.get(session)?.values() ?? [])].filter((call) => now >= call.renewAt);
    for (const call of due) call.renewAt = now + kept / 3;
    await Promise.all(due.flatMap(({ keys }) => keys.map((key) => processes.state.kv.touch(key, kept))));
  }

  /** Changes the record of a call. */
  async change(
    key: SharedStreamKey,
    seen: SeenValue,
    next: (found: KeptCall | undefined) => KeptCall | undefined,
  ): Promise<void> {
    const { processes, clock, kept } = this.#settings;
    const target = {
      kv: processes.state.kv,
      key: callKeyOf(key),
      clock,
      ttl: () => kept,
      seen,
      read: readCall,
    };
    await change<KeptCall>(target, next);
  }

  get #id(): string {
    return this.#settings.processes.id;
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

  /**
   * Writes the record of a call. While the state cannot be reached, no other process can continue the call either: this one waits.
   * @param call - undefined for a call that has ended.
   * @returns false if another process handles the call.
   */
  async #write(key: SharedStreamKey, seen: SeenValue, call: KeptCall | undefined): Promise<boolean> {
    const { clock, onError } = this.#settings;
    const report = (error: unknown) => onError(error, 'state');
    try {
      return await untilReached({ clock, report }, () => this.#writeNow(key, seen, call));
    } catch (error) {
      // The caller has used up its share: the call goes on here, and no other process could continue it.
      if (isOverQuota(error)) return true;
      report(error);
      return false;
    }
  }

  async #writeNow(key: SharedStreamKey, seen: SeenValue, call: KeptCall | undefined): Promise<boolean> {
    const { deliver } = this.#settings;
    // The process of the stream may only be slow: what it finds must say that it has lost the call.
    const next = call ?? (key.process === this.#id ? undefined : running(this.#id));
    const accepted = new Map<string, ClientAnswer>();
    let isOwn = true;
    const places = call && this.#writePlaces(key, call);
    const written = this.change(key, seen, (found) => {
      accepted.clear();
      isOwn = found === undefined || found.process === this.#id;
      if (!isOwn) return found;
      return found === undefined || next === undefined ? next : withAnswers(next, found, accepted);
    });
    await Promise.all([written, places]);
    if (isOwn) for (const [id, answer] of accepted) deliver(key.session, { jsonrpc: '2.0', id, ...answer });
    return isOwn;
  }

  /** Writes where the answers to the input requests of a call belong. */
  async #writePlaces({ session, process, stream }: SharedStreamKey, { waiting }: KeptCall): Promise<void> {
    const { processes, kept: ttl } = this.#settings;
    await Promise.all(
      Object.keys(waiting).map((id) =>
        processes.state.kv.put(askedKeyOf(session, id), `${process}/${stream}`, { ttl }),
      ),
    );
  }
}

/** A call with a record that this process has written. */
interface WrittenCall {
  readonly seen: SeenValue;
  /** The last write: later ones wait for it. False if another process handles the call. */
  writes: Promise<boolean>;
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
