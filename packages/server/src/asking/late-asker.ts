import type { InputRequest, InputResponse, SessionError } from '@tenon/mcp-protocol';
import { follow } from '@tenon/mcp-protocol/internal';
import type { IncomingRequest } from '@tenon/mcp-session';
import { askPromise } from './ask-promise.js';
import type { Asker, AskingHost, LiveAsker } from './asker.js';
import { type Asking, obstacle } from './capabilities.js';
import { reportOf } from './handler-name.js';
import { loadEngine } from './loading.js';
import { isRaised } from './raised.js';
import type { RoundsOptions } from './rounds.js';
import { Unawaited } from './unawaited.js';

/**
 * Runs a handler before the engine is loaded, for a client that declared no capability to answer input requests. `once` runs;
 * every input request is refused. Both load the engine first.
 */
export function runLate<Result>(
  options: Pick<RoundsOptions, 'limits' | 'onError'>,
  request: IncomingRequest,
  run: (host: AskingHost) => Result | Promise<Result>,
): Result | Promise<Result> {
  const host = new LateHost(options, request);
  let returned: Result | Promise<Result>;
  try {
    returned = run(host);
  } catch (error) {
    host.end(false);
    throw error;
  }
  if (returned instanceof Promise) host.endWith(returned);
  else host.end(true);
  return returned;
}

/** One run of a handler. Made per request, so it creates nothing before the first use. */
class LateHost implements AskingHost {
  readonly #options: Pick<RoundsOptions, 'limits' | 'onError'>;
  readonly #request: IncomingRequest;
  #asker: LateAsker | undefined;
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
      this.#asker = new LateAsker(this.#options, this.#request);
      if (this.#returned !== undefined) this.#follow(this.#returned);
    }
    return this.#asker;
  }

  end(returned: boolean): void {
    this.#asker?.end(returned);
  }

  endWith(returned: Promise<unknown>): void {
    this.#returned = returned;
    if (this.#asker !== undefined) this.#follow(returned);
  }

  #follow(returned: Promise<unknown>): void {
    follow(
      returned,
      () => this.end(true),
      () => this.end(false),
    );
  }
}

class LateAsker implements Asker {
  readonly #options: Pick<RoundsOptions, 'limits' | 'onError'>;
  readonly #request: IncomingRequest;
  readonly #unawaited: Unawaited;
  #live: Promise<LiveAsker> | undefined;

  constructor(options: Pick<RoundsOptions, 'limits' | 'onError'>, request: IncomingRequest) {
    this.#options = options;
    this.#request = request;
    this.#unawaited = new Unawaited(reportOf(request, options.onError));
  }

  ask(key: string, request: InputRequest): Promise<InputResponse> {
    return this.#later((asker) => asker.ask(key, request));
  }

  once<T>(key: string, fn: () => T | Promise<T>): Promise<T> {
    return this.#later((asker) => asker.once(key, fn));
  }

  track<T>(key: unknown, answer: Promise<T>): Promise<T> {
    return this.#unawaited.track(key, answer);
  }

  end(returned: boolean): void {
    this.#unawaited.end(returned && !this.#request.cancelled);
  }

  #later<T>(use: (asker: LiveAsker) => Promise<T>): Promise<T> {
    const { limits, onError } = this.#options;
    const request = this.#request;
    this.#live ??= loadEngine().then(
      ({ LiveAsker }) => new LiveAsker({ request, limits, report: reportOf(request, onError) }),
    );
    const live = this.#live;
    return askPromise(({ resolve, reject, raise }) => {
      follow(live.then(use), resolve, (reason) => (isRaised(reason) ? raise(reason) : reject(reason)));
    });
  }
}
