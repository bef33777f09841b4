import { follow } from '@tenon/foundation';
import type { UnknownObject } from '@tenon/mcp-protocol';
import { report } from '../callbacks.js';
import type { Timed } from '../limits/deadlines.js';
import type { IncomingRequest } from '../requests/incoming-request.js';
import { fail, type HandledRequest, stop, succeed } from './answering.js';
import { reportGone } from './cancelled-requests.js';

/**
 * Tracks requests in flight. A request with an immediate answer is not tracked. Requests that last as long as the peer wants are limited
 * by their feature, and are not counted here.
 */
export interface Ledger {
  /** Running handlers of the same connection, if there is one. */
  readonly working?: number;
  enter(request: IncomingRequest, lasting: boolean): void;
  leave(request: IncomingRequest, lasting: boolean): void;
  /** True if the request is answered although its handler still runs. */
  release(request: IncomingRequest): void;
}

type Text = string | undefined;

/**
 * Returns the answer of a running handler: its result, its error, or that it took too long. The promise never
 * rejects.
 */
export function awaitHandler(
  handled: HandledRequest,
  result: Promise<UnknownObject>,
  ledger: Ledger | undefined,
): Promise<Text> {
  const { behaviour, row, request } = handled;
  ledger?.enter(request, row.lasting === true);
  // Outside conversations, closing the exchange cancels the request.
  const isAlone = ledger === behaviour.handling?.work;
  if (isAlone && behaviour.onGone !== undefined && row.lasting !== true) reportGone(behaviour, request);
  return behaviour.handling === undefined || row.lasting === true
    ? untimed(handled, result, ledger)
    : new Promise((resolve) => new AwaitedHandler(handled, ledger, resolve).begin(result));
}

function untimed(
  handled: HandledRequest,
  result: Promise<UnknownObject>,
  ledger: Ledger | undefined,
): Promise<Text> {
  return result.then(
    (value) => {
      try {
        return succeed(handled, value);
      } finally {
        leave(handled, ledger);
      }
    },
    (error: unknown) => {
      try {
        return fail(handled, error);
      } finally {
        leave(handled, ledger);
      }
    },
  );
}

/** Stops tracking an answered request when its handler has ended. */
function leave({ request, row }: HandledRequest, ledger: Ledger | undefined): void {
  const { rest } = request;
  const lasting = row.lasting === true;
  if (rest === undefined) {
    ledger?.leave(request, lasting);
    return;
  }
  ledger?.release(request);
  const ended = () => ledger?.leave(request, lasting);
  follow(rest, ended, ended);
}

/** A running handler with a time limit. */
class AwaitedHandler implements Timed {
  spent = 0;
  readonly request: IncomingRequest;
  readonly #handled: HandledRequest;
  readonly #ledger: Ledger | undefined;
  readonly #answer: (text: Text) => void;

  constructor(handled: HandledRequest, ledger: Ledger | undefined, answer: (text: Text) => void) {
    this.request = handled.request;
    this.#handled = handled;
    this.#ledger = ledger;
    this.#answer = answer;
  }

  begin(result: Promise<UnknownObject>): void {
    this.request.awaitedHandler = this;
    this.#handled.behaviour.handling?.deadlines.enter(this);
    try {
      result.then(
        (value) => {
          try {
            this.#end(succeed(this.#handled, value));
          } catch (error) {
            report(this.#handled.behaviour, error, this.request.method);
            this.#answer(undefined);
          }
        },
        (error: unknown) => this.#end(fail(this.#handled, error)),
      );
    } catch (error) {
      // Promises of other classes may fail at once.
      this.#end(fail(this.#handled, error));
    }
  }

  expire(ms: number): void {
    this.#answer(stop(this.#handled, ms));
    this.#ledger?.release(this.request);
  }

  /** Releases the transport although the handler still runs: it was cancelled, and nothing is sent. */
  drop(): void {
    this.#handled.behaviour.observer?.stopped(this.request, 'cancelled');
    this.#answer(undefined);
  }

  // An answer after the time limit or after a cancellation is ignored.
  #end(text: Text): void {
    this.#handled.behaviour.handling?.deadlines.leave(this);
    leave(this.#handled, this.#ledger);
    this.#answer(text);
  }
}
