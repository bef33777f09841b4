import type { SessionError } from '@tenon/mcp-protocol';
import { follow } from '@tenon/mcp-protocol/internal';
import type { IncomingRequest } from '@tenon/mcp-session';
import { type Asker, type AskingHost, LiveAsker } from './asker.js';
import { type Asking, obstacle } from './capabilities.js';
import { reportOf } from './handler-name.js';
import type { RoundsOptions } from './rounds.js';

/**
 * Runs a handler whose input requests are requests of their own. Those that still wait when it is done are taken back:
 * nothing reads their answers.
 */
export function runLive<Result>(
  options: Pick<RoundsOptions, 'limits' | 'onError'>,
  request: IncomingRequest,
  run: (host: AskingHost) => Result | Promise<Result>,
): Result | Promise<Result> {
  return new Live(options, request).run(run);
}

/** One run of a handler. Made per request, so it creates nothing before it is asked for. */
class Live implements AskingHost {
  readonly #options: Pick<RoundsOptions, 'limits' | 'onError'>;
  readonly #request: IncomingRequest;
  #asker: LiveAsker | undefined;
  #returned: Promise<unknown> | undefined;

  constructor(options: Pick<RoundsOptions, 'limits' | 'onError'>, request: IncomingRequest) {
    this.#options = options;
    this.#request = request;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  get over(): boolean {
    return this.#request.finished;
  }

  obstacle(what: Asking): SessionError | undefined {
    return obstacle(this.#request, what);
  }

  asker(): Asker {
    if (this.#asker === undefined) {
      const { limits, onError } = this.#options;
      const request = this.#request;
      this.#asker = new LiveAsker({ request, limits, report: reportOf(request, onError) });
      this.#endWith(this.#returned);
    }
    return this.#asker;
  }

  run<Result>(handler: (host: AskingHost) => Result | Promise<Result>): Result | Promise<Result> {
    let returned: Result | Promise<Result>;
    try {
      returned = handler(this);
    } catch (error) {
      this.#asker?.end(false);
      throw error;
    }
    if (!(returned instanceof Promise)) this.#asker?.end(true);
    else {
      this.#returned = returned;
      if (this.#asker !== undefined) this.#endWith(returned);
    }
    return returned;
  }

  #endWith(returned: Promise<unknown> | undefined): void {
    const end = (succeeded: boolean) => () => this.#asker?.end(succeeded);
    if (returned !== undefined) follow(returned, end(true), end(false));
  }
}
