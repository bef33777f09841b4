import { follow } from '@tenon/mcp-protocol';
import type { IncomingRequest } from '@tenon/mcp-session';
import { type Asker, type AskingHost, LiveAsker } from './asker.js';

/**
 * Runs a handler whose questions are requests of their own. Questions that still wait when it is done are taken back:
 * nobody reads their answers.
 * @param most - questions it may ask in all.
 */
export function runLive<Result>(
  request: IncomingRequest,
  run: (host: AskingHost) => Result | Promise<Result>,
  most: number,
): Result | Promise<Result> {
  return new Live(request, most).run(run);
}

/** One run of a handler. Made per request, so it creates nothing before it is asked for. */
class Live implements AskingHost {
  readonly #request: IncomingRequest;
  readonly #most: number;
  #asker: LiveAsker | undefined;
  #returned: Promise<unknown> | undefined;

  constructor(request: IncomingRequest, most: number) {
    this.#request = request;
    this.#most = most;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  get over(): boolean {
    return this.#request.finished;
  }

  asker(): Asker {
    if (this.#asker === undefined) {
      this.#asker = new LiveAsker(this.#request, this.#most);
      this.#endWith(this.#returned);
    }
    return this.#asker;
  }

  run<Result>(handler: (host: AskingHost) => Result | Promise<Result>): Result | Promise<Result> {
    let returned: Result | Promise<Result>;
    try {
      returned = handler(this);
    } catch (error) {
      this.#asker?.end();
      throw error;
    }
    if (!(returned instanceof Promise)) this.#asker?.end();
    else {
      this.#returned = returned;
      if (this.#asker !== undefined) this.#endWith(returned);
    }
    return returned;
  }

  #endWith(returned: Promise<unknown> | undefined): void {
    const end = () => this.#asker?.end();
    if (returned !== undefined) follow(returned, end, end);
  }
}
