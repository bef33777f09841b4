import { type InputRequest, type InputResponse, SessionError } from '@tenon/mcp-protocol';
import type { TaskBounds } from './task-options.js';

/** One input request of a task: being answered, answered, or acknowledged by the server. */
interface Entry {
  readonly stop: AbortController;
  response: InputResponse | undefined;
  /** True while the response is on its way, and after the server has acknowledged it. */
  sent: boolean;
}

/** The input requests of one task, so that none is answered twice: keys are unique for the life of a task. */
export class InputLedger {
  readonly #entries = new Map<string, Entry>();
  #answering = 0;

  /**
   * Adds the open input requests of a task. Answers that the task no longer waits for are stopped.
   * @returns the requests that are new, and the responses that must be sent again.
   * @throws SessionError `limit` if there are too many.
   */
  open(
    requests: { readonly [key: string]: InputRequest },
    { inputRequests, inputKeys }: Pick<TaskBounds, 'inputRequests' | 'inputKeys'>,
  ): {
    readonly fresh: readonly (readonly [key: string, request: InputRequest])[];
    readonly unsent: readonly string[];
  } {
    for (const [key, entry] of this.#entries)
      if (entry.response === undefined && !Object.hasOwn(requests, key)) this.#drop(key, entry);
    const all = Object.entries(requests);
    const fresh = all.filter(([key]) => !this.#entries.has(key));
    if (this.#answering + fresh.length > inputRequests)
      throw tooMany(`more than ${inputRequests} input requests at once`);
    if (this.#entries.size + fresh.length > inputKeys) throw tooMany(`more than ${inputKeys} input requests`);
    for (const [key] of fresh) {
      this.#entries.set(key, { stop: new AbortController(), response: undefined, sent: false });
      this.#answering++;
    }
    const unsent = all.flatMap(([key]) => {
      const entry = this.#entries.get(key);
      return entry?.response !== undefined && !entry.sent ? [key] : [];
    });
    return { fresh, unsent };
  }

  /** Aborts when the answer is no longer needed. */
  signalOf(key: string): AbortSignal | undefined {
    return this.#entries.get(key)?.stop.signal;
  }

  /** Stores the response to a request. False if it is no longer needed. */
  answered(key: string, response: InputResponse): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.stop.signal.aborted) return false;
    entry.response = response;
    this.#answering--;
    return true;
  }

  /** Returns the response that is to be sent now; undefined if it has been sent. */
  take(key: string): InputResponse | undefined {
    const entry = this.#entries.get(key);
    if (entry?.response === undefined || entry.sent) return undefined;
    entry.sent = true;
    return entry.response;
  }

  /** The response did not reach the server. */
  unsent(key: string): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) entry.sent = false;
  }

  /** Stops all answers. Requests without a response are requested again if the task is followed again. */
  stop(): void {
    for (const [key, entry] of this.#entries) if (entry.response === undefined) this.#drop(key, entry);
  }

  #drop(key: string, { stop }: Entry): void {
    this.#entries.delete(key);
    this.#answering--;
    stop.abort(new SessionError('cancelled', 'The task no longer waits for this input.'));
  }
}

function tooMany(what: string): SessionError {
  return new SessionError('limit', `The task sent ${what}.`);
}
