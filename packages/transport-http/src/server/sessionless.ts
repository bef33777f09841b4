import {
  type Answer,
  assumedRevision,
  type CarrierFacts,
  type Connection,
  type Exchange,
  type Receiver,
  type RequestStamp,
  type Route,
} from '@tenon/mcp-protocol';
import type { Application } from './application.js';

const saidNothing: RequestStamp = Object.freeze({ clientCapabilities: Object.freeze({}) });

/**
 * A connection for one message of a client that has a handshake but is given no session, and its exchange: nothing but
 * the answer gets out.
 */
class OneMessage implements Connection {
  readonly facts: CarrierFacts;
  readonly #exchange: Exchange;
  receiver: Receiver | undefined;

  constructor(exchange: Exchange) {
    const { principal } = exchange.facts;
    this.facts = { answersOnly: true, ...(principal !== undefined && { principal }) };
    this.#exchange = exchange;
  }

  start(receiver: Receiver): void {
    this.receiver = receiver;
  }

  send(): undefined {
    return undefined;
  }

  refused(status: number): void {
    this.#exchange.refused?.(status);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Answers one message of a handshake revision on its own. */
export function answerAlone(application: Application, route: Route, message: [unknown, Exchange]): Answer {
  const [value, exchange] = message;
  const connection = new OneMessage(exchange);
  const revision = assumedRevision(exchange.facts, application.revisions);
  const { principal } = exchange.facts;
  const opens = route === 'opening' || revision === undefined;
  application.accept(connection, opens ? undefined : { revision, peer: saidNothing, principal });
  const { receiver } = connection;
  if (receiver === undefined)
    throw new TypeError('An application must start the connection it accepts at once.');
  const answer = receiver.receive(value, connection);
  if (answer instanceof Promise) return answer.finally(() => receiver.closed());
  receiver.closed();
  return answer;
}
