import { detach } from '@tenon/foundation';
import { ErrorCode, RpcError, type UnknownObject } from '@tenon/mcp-protocol';
import {
  type ExtensionHost,
  type InterceptedRun,
  type StepJournal,
  shareUsedUp,
} from '@tenon/mcp-server/extension';
import type { KeyValueStore, State } from '@tenon/mcp-state';
import {
  change,
  LastWrite,
  type SeenValue,
  stateFailureOf,
  stepIn,
  untilReached,
  type WaitingOutcomes,
} from '@tenon/mcp-state/extension';
import { idempotencyKey } from '../key.js';
import {
  argumentsDigest,
  type CallRecord,
  hasOutcome,
  outcomeOf,
  readRecord,
  recordKeyOf,
  released,
  withOutcome,
  withStep,
} from './call-record.js';

/** The settings of attempts. */
export interface AttemptOptions {
  /** Milliseconds for which a call that has ended is remembered. */
  readonly lifetime: number;
  /** Characters of the record of one call. */
  readonly size: number;
}

/** The attempts of all processes, as one attempt needs them. */
export interface AttemptHost {
  readonly host: Pick<ExtensionHost, 'clock' | 'events' | 'onError' | 'stateOf'>;
  readonly state: State;
  readonly options: AttemptOptions;
  /** The outcomes that wait for the state. */
  readonly waiting: WaitingOutcomes;
  /** Registers an attempt. @returns its id, and the function to call when it has ended. */
  begin(): { readonly id: string; readonly end: () => void };
  /** Waits while an attempt runs, a second at most. Resolves with false if it does not run. */
  wait(id: string): Promise<boolean>;
  /** Milliseconds for which a call that runs is remembered. */
  lifeOf(call: InterceptedRun): number;
  /** Resolves when other processes can ask whether an attempt of this one runs. Without a state that would never be. */
  untilReachable(): Promise<void> | undefined;
}

type Change = (record: CallRecord) => CallRecord;
type Next = (found: CallRecord | undefined) => CallRecord | undefined;
type CallHandler = (steps: StepJournal) => UnknownObject | Promise<UnknownObject>;

/** The part of the request that its errors are reported for. */
const method = 'tools/call';

/**
 * One attempt of a call that its client may repeat. The attempt writes a record before its handler runs, so that a later attempt
 * waits for it or returns its result. A tool that may run again writes the record with its first `once` step.
 */
export class Attempt implements StepJournal {
  readonly #journal: AttemptHost;
  readonly #call: InterceptedRun;
  /** The text with which the client names the call. */
  readonly #name: string;
  /** True if the tool may run again without further effect. */
  readonly #isRepeatable: boolean;
  /** The values of the state, counted for the caller. */
  #kv: KeyValueStore;
  #key = '';
  #record: CallRecord | undefined;
  /** At first as if no attempt was made before: most calls are not repeated. */
  readonly #seen: SeenValue = { last: 'absent' };
  #opening: Promise<void> | undefined;
  #id: string | undefined;
  #end: (() => void) | undefined;
  /** True if the value of a step could not be stored: an error of the handler is not an outcome then. */
  #hasUnkept = false;
  /** True if another attempt has continued the call, so that this one has no outcome. */
  #isLost = false;
  /** The outcome, while the state has not accepted it. */
  #last: LastWrite<Change> | undefined;

  constructor(journal: AttemptHost, call: InterceptedRun, name: string) {
    const { readOnlyHint, idempotentHint } = call.tool.annotations ?? {};
    this.#journal = journal;
    this.#call = call;
    this.#name = name;
    this.#isRepeatable = readOnlyHint === true || idempotentHint === true;
    this.#kv = journal.state.kv;
  }

  /**
   * Returns the result of the call: of an earlier attempt, or of the handler.
   * @throws RpcError if the call must not be attempted, or its handler throws one.
   */
  async run(handle: CallHandler): Promise<UnknownObject> {
    try {
      if (!this.#isRepeatable) {
        await this.#opened();
        if (this.#record !== undefined && hasOutcome(this.#record)) {
          this.#journal.host.events.emit({ type: 'call-repeated', name: this.#call.tool.name });
          return outcomeOf(this.#record);
        }
      }
      return await this.#handled(handle);
    } finally {
      // Others wait for an outcome that the state has not accepted yet.
      if (this.#last === undefined) this.#end?.();
      else detach(this.#last.written().finally(this.#end), () => {});
    }
  }

  /** @throws RpcError overloaded if another attempt has continued the call: the step must not run here. */
  async recall(step: string): Promise<{ readonly value: unknown } | undefined> {
    const isNew = this.#opening === undefined;
    await this.#opened();
    // A process that was stopped for a while has been taken for gone. Only the state shows that.
    if (!isNew && this.#step(step) === undefined)
      await this.#untilReached(() => {
        this.#seen.last = undefined;
        return this.#change((record) => record);
      });
    const found = this.#step(step);
    if (found !== undefined) return { value: found.value };
    this.#isLost = this.#record !== undefined && this.#record.holder !== this.#id;
    if (this.#isLost) throw continued();
    return undefined;
  }

  async keep(step: string, value: unknown): Promise<unknown> {
    const { size } = this.#journal.options;
    await this.#untilReached(() => this.#change((record) => withStep(record, [step, value], size)));
    const kept = this.#step(step);
    return kept === undefined ? value : kept.value;
  }

  #step(step: string): { readonly value?: unknown } | undefined {
    return this.#record && stepIn(this.#record, step);
  }

  async #handled(handle: CallHandler): Promise<UnknownObject> {
    let result: UnknownObject;
    try {
      if (this.#call.isCancelled) throw this.#call.signal.reason;
      result = await handle(this);
    } catch (error) {
      const { code, message, data } = error as RpcError;
      const isAnswer = error instanceof RpcError && !this.#hasUnkept && !this.#call.isCancelled;
      if (isAnswer) await this.#conclude({ error: { code, message, data } });
      else await this.#finish((record) => released(record, this.#id));
      throw error;
    }
    await this.#conclude({ result });
    return this.#record !== undefined && hasOutcome(this.#record) ? outcomeOf(this.#record) : result;
  }

  /**
   * Writes a value. While the state cannot be reached, no other attempt can continue the call either: this one waits, until the
   * time of its handler is over. A tool that may run again does not need the value.
   * @throws RpcError overloaded if the value could not be written.
   */
  async #untilReached(write: () => Promise<void>): Promise<void> {
    const { clock, onError } = this.#journal.host;
    const { signal } = this.#call;
    const report = (error: unknown) => onError(error, method);
    const within = this.#isRepeatable ? 0 : Number.POSITIVE_INFINITY;
    try {
      await untilReached({ clock, report, within, signal }, write);
    } catch (error) {
      if (stateFailureOf(error) === undefined) throw error;
      if (this.#isRepeatable) return report(error);
      this.#hasUnkept = true;
      throw notKept(error);
    }
  }

  /**
   * Writes the outcome of the call. The caller receives it even if the state fails: then it is written later, so that no other attempt
   * runs the handler, unless the tool may run again.
   */
  async #conclude(outcome: Pick<CallRecord, 'result' | 'error'>): Promise<void> {
    const { size, lifetime } = this.#journal.options;
    const { clock } = this.#journal.host;
    const change: Change = (record) => withOutcome(record, outcome, size);
    if (this.#isLost || (await this.#finish(change)) || this.#isRepeatable) return;
    const until = clock.now() + this.#journal.lifeOf(this.#call);
    this.#last = new LastWrite<Change>(
      {
        clock,
        write: (end) => this.#change(end, lifetime),
        instead: (message) => (record) =>
          withOutcome(record, { error: { code: ErrorCode.internalError, message } }, size),
        isOver: () => clock.now() >= until,
        waiting: this.#journal.waiting,
        // Reported once.
        report: () => {},
      },
      { end: change, size: () => JSON.stringify(outcome).length },
    );
  }

  /** Writes the end of the call. @returns false if the state does not accept it. */
  async #finish(change: Change): Promise<boolean> {
    try {
      if (!this.#isLost) await this.#change(change, this.#journal.options.lifetime);
      return true;
    } catch (error) {
      this.#journal.host.onError(error, method);
      return false;
    }
  }

  #opened(): Promise<void> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** @throws RpcError overloaded if the state does not answer. A tool that may run again then has no journal. */
  async #open(): Promise<void> {
    const { id, end } = this.#journal.begin();
    this.#id = id;
    this.#end = end;
    try {
      await this.#claim(id);
    } catch (error) {
      if (stateFailureOf(error) === undefined) throw error;
      this.#journal.host.onError(error, method);
      if (this.#isRepeatable) return;
      throw unavailable(error);
    }
  }

  /** Writes the first record of the call, or takes over the record of an attempt that does not run any more. */
  async #claim(id: string): Promise<void> {
    await this.#journal.untilReachable();
    const digest = await argumentsDigest(this.#call);
    const { caller } = this.#call;
    this.#key = await recordKeyOf(this.#call, caller, this.#name);
    this.#kv = (await this.#journal.host.stateOf(caller)).kv;
    let gone: string | undefined;
    for (;;) {
      if (this.#call.isCancelled) throw this.#call.signal.reason;
      let running: string | undefined;
      const isBlind = this.#seen.last === 'absent';
      const next = (found: CallRecord | undefined) => {
        running = undefined;
        if (found === undefined) return { digest, holder: id, steps: {} };
        if (found.digest !== digest) throw otherArguments();
        if (hasOutcome(found)) return found;
        running = found.holder === gone ? undefined : found.holder;
        if (running !== undefined) return found;
        if (!this.#mayRun(found)) throw interrupted();
        return { ...found, holder: id };
      };
      try {
        await this.#write(next);
      } catch (error) {
        // A caller that has used up its share receives the result of an earlier attempt all the same.
        if (!isBlind || stateFailureOf(error) !== 'quota') throw error;
        await this.#write(next);
      }
      if (running === undefined) return;
      // The last write of an attempt that has ended may have come after the read.
      if (!(await this.#journal.wait(running))) gone = running;
      this.#seen.last = undefined;
    }
  }

  /** True if the handler may run again after an attempt that did not finish. */
  #mayRun({ steps, incomplete }: CallRecord): boolean {
    return this.#isRepeatable || (Object.keys(steps).length > 0 && incomplete !== true);
  }

  /** Changes the record, on top of what other attempts wrote; one that has expired is written again. Does nothing without a record. */
  async #change(next: Change, ttl?: number): Promise<void> {
    const own = this.#record;
    if (own !== undefined) await this.#write((found = own) => next(found), ttl);
  }

  async #write(next: Next, ttl?: number): Promise<void> {
    const { host, state } = this.#journal;
    const life = ttl ?? this.#journal.lifeOf(this.#call);
    const target = {
      kv: this.#kv,
      backend: state.kv,
      key: this.#key,
      clock: host.clock,
      seen: this.#seen,
      read: readRecord,
      ttl: () => life,
    };
    this.#record = await change<CallRecord>(target, next);
  }
}

function otherArguments(): RpcError {
  const message = `params._meta["${idempotencyKey}"]: names an earlier call with other arguments`;
  return new RpcError(ErrorCode.invalidParams, message);
}

function unavailable(cause: unknown): RpcError {
  if (stateFailureOf(cause) === 'quota') return shareUsedUp('The call was not begun.', cause);
  const message =
    'Whether this call was made before is unknown, because the state of the server cannot be reached; try again later.';
  return new RpcError(ErrorCode.overloaded, message, { cause });
}

function notKept(cause: unknown): RpcError {
  if (stateFailureOf(cause) === 'quota')
    return shareUsedUp('The value of a step could not be stored, and the call was abandoned.', cause);
  const message = 'The value of a step could not be stored, and the call was abandoned; try again later.';
  return new RpcError(ErrorCode.overloaded, message, { cause });
}

function continued(): RpcError {
  const message = 'Another attempt of this call has continued it; send the call again to receive its result.';
  return new RpcError(ErrorCode.overloaded, message);
}

function interrupted(): RpcError {
  const message =
    'An earlier attempt of this call was interrupted. Whether it had an effect is not known, and the tool may not run again.';
  return new RpcError(ErrorCode.internalError, message);
}
