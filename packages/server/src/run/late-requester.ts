import type { InputRequest, InputResponse } from '@tenon/mcp-protocol';
import { follow } from '@tenon/mcp-protocol/internal';
import type { IncomingRequest } from '@tenon/mcp-session';
import { reportOf } from './handler-name.js';
import type { InputHost } from './input-requester.js';
import { loadEngine } from './loading.js';
import { isRaised } from './raised.js';
import {
  type CreateInputRequester,
  type HostOptions,
  RequestHost,
  type RunInputRequester,
} from './request-host.js';
import { inputPromise } from './request-promise.js';
import { Unawaited } from './unawaited.js';

/**
 * Runs a handler before the engine is loaded, for a client that declared no capability to answer input requests. `once` runs;
 * every input request is rejected. Both load the engine first.
 */
export function runLate<Result>(
  options: HostOptions,
  request: IncomingRequest,
  run: (host: InputHost) => Result | Promise<Result>,
): Result | Promise<Result> {
  return new RequestHost(lateInput, options, request).run(run);
}

const lateInput: CreateInputRequester = (options, request) => new LateInput(options, request);

class LateInput implements RunInputRequester {
  readonly #options: HostOptions;
  readonly #request: IncomingRequest;
  readonly #unawaited: Unawaited;
  #live: Promise<RunInputRequester> | undefined;

  constructor(options: HostOptions, request: IncomingRequest) {
    this.#options = options;
    this.#request = request;
    this.#unawaited = new Unawaited(reportOf(request, options.onError));
  }

  requestInput(key: string, request: InputRequest): Promise<InputResponse> {
    return this.#later((inputRequester) => inputRequester.requestInput(key, request));
  }

  once<T>(key: string, fn: () => T | Promise<T>): Promise<T> {
    return this.#later((inputRequester) => inputRequester.once(key, fn));
  }

  track<T>(key: unknown, answer: Promise<T>): Promise<T> {
    return this.#unawaited.track(key, answer);
  }

  end(returned: boolean): void {
    this.#unawaited.end(returned && !this.#request.cancelled);
  }

  #later<T>(use: (inputRequester: RunInputRequester) => Promise<T>): Promise<T> {
    this.#live ??= loadEngine().then(({ liveInput }) => liveInput(this.#options, this.#request));
    const live = this.#live;
    return inputPromise(({ resolve, reject, raise }) => {
      follow(live.then(use), resolve, (reason) => (isRaised(reason) ? raise(reason) : reject(reason)));
    });
  }
}
