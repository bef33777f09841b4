import type { CallHistory, SessionError } from '@tenon/mcp-protocol';
import { follow } from '@tenon/mcp-protocol/internal';
import type { IncomingRequest } from '@tenon/mcp-session';
import { type InputType, obstacle } from './capabilities.js';
import type { InputHost, InputRequester } from './input-requester.js';
import type { RoundsOptions } from './rounds.js';

/** The limits of the input requests, the extensions that intercept them, and the receiver of the handler's mistakes. */
export type HostOptions = Pick<RoundsOptions, 'limits' | 'onError' | 'intercept'>;

/** Makes the input requests of one run of a handler. */
export interface RunInputRequester extends InputRequester {
  /** Ends the run. @param returned - false for a handler that threw. */
  end(returned: boolean): void;
}

export type CreateInputRequester = (options: HostOptions, request: IncomingRequest) => RunInputRequester;

/** One run of a handler for a request that waits for it. Made per request, so it creates nothing before its first use. */
export class RequestHost implements InputHost {
  readonly #make: CreateInputRequester;
  readonly #options: HostOptions;
  readonly #request: IncomingRequest;
  #inputRequester: RunInputRequester | undefined;
  #returned: Promise<unknown> | undefined;

  /** @param make - called on the first input request or step of the run. */
  constructor(make: CreateInputRequester, options: HostOptions, request: IncomingRequest) {
    this.#make = make;
    this.#options = options;
    this.#request = request;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  get over(): boolean {
    return this.#request.finished;
  }

  get history(): CallHistory | undefined {
    return this.#request.exchange.history;
  }

  obstacle(what: InputType): SessionError | undefined {
    return obstacle(this.#request, what);
  }

  inputRequester(): InputRequester {
    if (this.#inputRequester === undefined) {
      this.#inputRequester = this.#make(this.#options, this.#request);
      this.#endWith(this.#returned);
    }
    return this.#inputRequester;
  }

  run<Result>(handler: (host: InputHost) => Result | Promise<Result>): Result | Promise<Result> {
    let returned: Result | Promise<Result>;
    try {
      returned = handler(this);
    } catch (error) {
      this.#inputRequester?.end(false);
      throw error;
    }
    if (!(returned instanceof Promise)) this.#inputRequester?.end(true);
    else {
      this.#returned = returned;
      if (this.#inputRequester !== undefined) this.#endWith(returned);
    }
    return returned;
  }

  #endWith(returned: Promise<unknown> | undefined): void {
    const end = (succeeded: boolean) => () => this.#inputRequester?.end(succeeded);
    if (returned !== undefined) follow(returned, end(true), end(false));
  }
}
