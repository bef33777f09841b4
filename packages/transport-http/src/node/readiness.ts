import { type Clock, follow, withinTime } from '@tenon/foundation';
import type { HttpCall } from '../server/call/http-call.js';
import { plainText } from './node-page.js';

/** Milliseconds that the user's function may take: probes mostly wait for one second. */
const patience = 5_000;

/** The dependencies of {@link Readiness}. */
export interface ReadinessSettings {
  /** True while the server accepts requests. */
  readonly isServing: () => boolean;
  /** False while shared state cannot be reached. */
  readonly hasState: () => boolean;
  /** The user's function. */
  readonly ready: (() => boolean | Promise<boolean>) | undefined;
  readonly clock: Clock;
  readonly onError: (error: unknown, where: string) => void;
}

/** Answers GET /readyz. */
export class Readiness {
  readonly #settings: ReadinessSettings;
  /** The call of the user's function that is in progress: any client can request the page at any rate. */
  #asked: Promise<boolean> | undefined;

  constructor(settings: ReadinessSettings) {
    this.#settings = settings;
  }

  answer(call: HttpCall): void {
    const { isServing, hasState, ready, onError } = this.#settings;
    if (!isServing()) send(call, 'closing');
    else if (!hasState()) send(call, 'state unavailable');
    else if (ready === undefined) send(call);
    else {
      this.#asked ??= this.#ask(ready).finally(() => {
        this.#asked = undefined;
      });
      const answered = (isReady: boolean) => send(call, isReady ? undefined : 'not ready');
      follow(this.#asked, answered, (error) => onError(error, 'readiness'));
    }
  }

  /** Returns the result of the user's function; false if it fails or takes too long. */
  async #ask(ready: () => boolean | Promise<boolean>): Promise<boolean> {
    const { clock, onError } = this.#settings;
    const answered = async () => (await ready()) === true;
    try {
      return await withinTime(answered(), { clock, ms: patience }, () => {
        throw new Error(`The function "ready" did not answer within ${patience} ms.`);
      });
    } catch (error) {
      onError(error, 'readiness');
      return false;
    }
  }
}

function send(call: HttpCall, problem?: string): void {
  call.send(problem === undefined ? 200 : 503, plainText, `${problem ?? 'ready'}\n`);
}
