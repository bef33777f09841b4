import type { UnknownObject } from '@tenon/mcp-protocol';
import { follow } from '@tenon/mcp-protocol/internal';
import { report } from '../endpoint/callbacks.js';
import { fail, type Run, stop, succeed } from './answering.js';
import { tellGone } from './cancelled.js';
import type { Timed } from './deadlines.js';
import type { IncomingRequest } from './incoming-request.js';

/**
 * Keeps requests in flight. One that is answered at once never flies. What lasts for as long as its peer wants is bounded
 * by its feature, and takes no place away from others.
 */
export interface Ledger {
  /** Handlers at work on the same connection, where there is one. */
  readonly working?: number;
  enter(request: IncomingRequest, lasting: boolean): void;
  leave(request: IncomingRequest, lasting: boolean): void;
  /** The request has its answer although its handler still works. */
  release(request: IncomingRequest): void;
}

type Text = string | undefined;

/**
 * The answer to a request whose handler takes its time: what comes of it, or that it took too long. The promise never
 * rejects: what makes the answers never throws.
 */
export function fly(run: Run, result: Promise<UnknownObject>, ledger: Ledger | undefined): Promise<Text> {
  const { behaviour, row, request } = run;
  ledger?.enter(request, row.lasting === true);
  // Outside conversations the sender's going away cancels the request.
  const isAlone = ledger === behaviour.handling?.work;
  if (isAlone && behaviour.onGone !== undefined && row.lasting !== true) tellGone(behaviour, request);
  return behaviour.handling === undefined || row.lasting === true
    ? landed(run, result, ledger)
    : new Promise((resolve) => new Flight(run, ledger, resolve).begin(result));
}

function landed(run: Run, result: Promise<UnknownObject>, ledger: Ledger | undefined): Promise<Text> {
  return result.then(
    (value) => {
      try {
        return succeed(run, value);
      } finally {
        leave(run, ledger);
      }
    },
    (error: unknown) => {
      try {
        return fail(run, error);
      } finally {
        leave(run, ledger);
      }
    },
  );
}

/** Takes a request that is answered out of the ledger, but not before its handler has ended. */
function leave({ request, row }: Run, ledger: Ledger | undefined): void {
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

/** A handler at work whose time is bounded. */
class Flight implements Timed {
  spent = 0;
  readonly request: IncomingRequest;
  readonly #run: Run;
  readonly #ledger: Ledger | undefined;
  readonly #answer: (text: Text) => void;

  constructor(run: Run, ledger: Ledger | undefined, answer: (text: Text) => void) {
    this.request = run.request;
    this.#run = run;
    this.#ledger = ledger;
    this.#answer = answer;
  }

  begin(result: Promise<UnknownObject>): void {
    this.request.flight = this;
    this.#run.behaviour.handling?.deadlines.enter(this);
    try {
      result.then(
        (value) => {
          try {
            this.#land(succeed(this.#run, value));
          } catch (error) {
            report(this.#run.behaviour, error, this.request.method);
            this.#answer(undefined);
          }
        },
        (error: unknown) => this.#land(fail(this.#run, error)),
      );
    } catch (error) {
      // Promises of other classes may fail at once.
      this.#land(fail(this.#run, error));
    }
  }

  expire(ms: number): void {
    this.#answer(stop(this.#run, ms));
    this.#ledger?.release(this.request);
  }

  /** Has the carrier wait no longer, although the handler still works: it was cancelled, and nothing is to be sent. */
  drop(): void {
    this.#answer(undefined);
  }

  // An answer that comes after the time was up, or after a cancellation, is not heard.
  #land(text: Text): void {
    this.#run.behaviour.handling?.deadlines.leave(this);
    leave(this.#run, this.#ledger);
    this.#answer(text);
  }
}
