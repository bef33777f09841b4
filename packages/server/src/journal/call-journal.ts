import { withinTime } from '@tenon/foundation';
import { ErrorCode, RpcError } from '@tenon/mcp-protocol';
import { idempotencyKey } from '@tenon/mcp-protocol/internal';
import type { IncomingRequest } from '@tenon/mcp-session';
import { WaitingOutcomes } from '@tenon/mcp-state/internal';
import { Attempt, type AttemptHost, type AttemptOptions } from './attempt.js';

/** The settings of a server's journal. */
export interface CallJournalOptions extends AttemptOptions {
  /** Milliseconds for which a handler may run, unless its request says otherwise. */
  readonly handlerTime: number;
}

const longestKey = 128;
/** Milliseconds after which a process answers that an attempt still runs. Less than a process waits for an answer. */
const longestAnswer = 1_000;
/** The most milliseconds for which a call that runs is remembered: a week. */
const longestLife = 7 * 86_400_000;

/** The journal of the tool calls that clients may repeat: they name each call with an idempotency key. */
export class CallJournal implements AttemptHost {
  readonly options: CallJournalOptions;
  readonly waiting: WaitingOutcomes = new WaitingOutcomes();
  /** The attempts of this process that have not ended, by their id. */
  readonly #running = new Map<string, Promise<void>>();
  #attempts = 0;

  constructor(options: CallJournalOptions) {
    this.options = options;
    options.processes.handle('journal/running', (body) => this.#waitHere(String(body)));
  }

  /**
   * Returns this attempt of a call with an idempotency key.
   * @param isRepeatable - true if the tool may run again without further effect.
   * @throws RpcError invalid params if the idempotency key is malformed.
   */
  attemptOf(request: IncomingRequest, isRepeatable: boolean): Attempt {
    const key = request.meta(idempotencyKey);
    if (typeof key !== 'string' || key === '' || key.length > longestKey)
      throw new RpcError(
        ErrorCode.invalidParams,
        `params._meta["${idempotencyKey}"]: expected a string of 1 to ${longestKey} characters`,
      );
    return new Attempt(this, request, { key, isRepeatable });
  }

  begin(): { readonly id: string; readonly end: () => void } {
    this.#attempts += 1;
    const id = `${this.options.processes.id}.${this.#attempts}`;
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
    const { processes } = this.options;
    const [process = ''] = id.split('.');
    if (process === processes.id) return this.#waitHere(id);
    try {
      return (await processes.request(process, 'journal/running', id)) === true;
    } catch (error) {
      if (error instanceof Error && error.name === 'ProcessGoneError') return false;
      throw error;
    }
  }

  lifeOf({ patience }: IncomingRequest): number {
    const { handlerTime, lifetime } = this.options;
    return Math.min(longestLife, (patience ?? handlerTime) + lifetime);
  }

  async #waitHere(id: string): Promise<boolean> {
    const running = this.#running.get(id);
    if (running === undefined) return false;
    await withinTime(running, { clock: this.options.clock, ms: longestAnswer });
    return true;
  }
}
