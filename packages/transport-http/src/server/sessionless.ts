import {
  type Answer,
  type CarrierFacts,
  type Connection,
  ErrorCode,
  type Exchange,
  type Receiver,
  type RequestStamp,
  type Revision,
  type WorkBounds,
} from '@tenon/mcp-protocol';
import type { Application } from './application.js';

/**
 * The exchange of a client that has a handshake but is given no session: nothing but the answer gets out, and that the
 * client goes away cancels nothing.
 */
class LoneExchange implements Exchange {
  readonly facts: CarrierFacts;
  readonly bounds: WorkBounds | undefined;
  readonly #outer: Exchange;

  constructor(outer: Exchange) {
    const { principal, remoteAddress, anonymous = false } = outer.facts;
    this.facts = { answersOnly: true, principal, remoteAddress, anonymous };
    this.bounds = outer.bounds;
    this.#outer = outer;
  }

  get caller(): string | undefined {
    return this.#outer.caller;
  }

  send(): undefined {
    return undefined;
  }

  refused(status: number): void {
    this.#outer.refused?.(status);
  }

  scopesLacking(scopes: readonly string[]): void {
    this.#outer.scopesLacking?.(scopes);
  }

  // Other errors have no status of their own in revisions with a handshake.
  failed(code: number, wait: number | undefined): void {
    if (code === ErrorCode.rateLimited || code === ErrorCode.overloaded) this.#outer.failed?.(code, wait);
  }
}

/** A connection that lasts for one message, for what only a conversation can take. */
class OneMessage extends LoneExchange implements Connection {
  receiver: Receiver | undefined;

  start(receiver: Receiver): void {
    this.receiver = receiver;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/**
 * Answers one message of a handshake revision on its own.
 * @param revision - the one it is of; undefined for one that opens a session, or is of none that is spoken.
 */
export function answerAlone(
  application: Application,
  revision: Revision | undefined,
  message: [unknown, Exchange],
): Answer {
  const [value, exchange] = message;
  return revision === undefined || Array.isArray(value)
    ? converse(application, revision, message)
    : application.answer(value, new LoneExchange(exchange), revision);
}

/** A handshake, or a batch. */
function converse(
  application: Application,
  revision: Revision | undefined,
  [value, exchange]: [unknown, Exchange],
): Answer {
  const connection = new OneMessage(exchange);
  application.accept(connection, revision && { revision, peer: saidNothing });
  const { receiver } = connection;
  if (receiver === undefined)
    throw new TypeError('An application must start the connection it accepts at once.');
  const answer = receiver.receive(value, connection);
  if (answer instanceof Promise) return answer.finally(() => receiver.closed());
  receiver.closed();
  return answer;
}

const saidNothing: RequestStamp = Object.freeze({ clientCapabilities: Object.freeze({}) });
