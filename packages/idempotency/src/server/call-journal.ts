import { isRecord, withinTime } from '@tenon/foundation';
import { ErrorCode, RpcError } from '@tenon/mcp-protocol';
import type { ExtensionHost, InterceptedRun } from '@tenon/mcp-server/extension';
import type { State } from '@tenon/mcp-state';
import { WaitingOutcomes } from '@tenon/mcp-state/extension';
import { idempotencyKey } from '../key.js';
import { Attempt, type AttemptHost, type AttemptOptions } from './attempt.js';

const longestKey = 128;
/** The kind of the messages that ask another process whether an attempt runs. */
const running = `${idempotencyKey}/running`;
/** Milliseconds after which a process answers that an attempt still runs. Less than a process waits for an answer. */
const longestAnswer = 1_000;
/** The most milliseconds for which a call that runs is remembered: a week. */
const longestLife = 7 * 86_400_000;

/** The journal of the tool calls that clients may repeat: they name each call with an idempotency key. */
export class CallJournal implements AttemptHost {
  readonly host: ExtensionHost;
  readonly state: State;
  readonly options: AttemptOptions;
  readonly waiting: WaitingOutcomes = new WaitingOutcomes();
  readonly #processes: NonNullable<ExtensionHost['processes']>;
  /** The attempts of this process that have not ended, by their id. */
  readonly #running = new Map<string, Promise<void>>();
  #attempts = 0;

  constructor(host: ExtensionHost, options: AttemptOptions) {
    const { processes, state } = host;
    if (processes === undefined || state === undefined)
      throw new TypeError('idempotency() needs a server with the option "state".');
    this.host = host;
    this.state = state;
    this.options = options;
    this.#processes = processes;
    processes.handle(running, (body) => this.#waitHere(String(body)));
  }

  /**
   * Returns this attempt of a call; undefined for a call without an idempotency key.
   * @throws RpcError invalid params if the idempotency key is malformed.
   */
  attemptOf(call: InterceptedRun): Attempt | undefined {
    const { _meta: meta } = call.params;
    const key = isRecord(meta) && Object.hasOwn(meta, idempotencyKey) ? meta[idempotencyKey] : undefined;
    if (key === undefined) return undefined;
    if (typeof key !== 'string' || key === '' || key.length > longestKey)
      throw new RpcError(
        ErrorCode.invalidParams,
        `params._meta["${idempotencyKey}"]: expected a string of 1 to ${longestKey} characters`,
      );
    return new Attempt(this, call, key);
  }

  begin(): { readonly id: string; readonly end: () => void } {
    this.#attempts += 1;
    const id = `${this.#processes.id}.${this.#attempts}`;
    let resolve = (): void => {};
    this.#running.set(
      id,
      new Promise<void>((ended) => {
        resolve = ended;
      }),
    );
    const end = () => {
      this.#running.delete(id);
      resolve();
    };
    return { id, end };
  }

  async wait(id: string): Promise<boolean> {
    const processes = this.#processes;
    const [process = ''] = id.split('.');
    if (process === processes.id) return this.#waitHere(id);
    try {
      return (await processes.request(process, running, id)) === true;
    } catch (error) {
      if (error instanceof Error && error.name === 'ProcessGoneError') return false;
      throw error;
    }
  }

  lifeOf({ handlerTime }: InterceptedRun): number {
    return Math.min(longestLife, handlerTime + this.options.lifetime);
  }

  untilReachable(): Promise<void> | undefined {
    return this.state.status === 'ready' ? this.#processes.waitUntilJoined() : undefined;
  }

  async #waitHere(id: string): Promise<boolean> {
    const running = this.#running.get(id);
    if (running === undefined) return false;
    await withinTime(running, { clock: this.host.clock, ms: longestAnswer });
    return true;
  }
}
