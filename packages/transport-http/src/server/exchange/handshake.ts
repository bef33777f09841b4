import type { Answer, Connection, Exchange, Receiver, TransportFacts } from '@tenon/mcp-protocol';
import type { Application } from '../call/application.js';

/** A connection that ends with the answer to a handshake. It opens no session. */
class HandshakeConnection implements Connection {
  readonly facts: TransportFacts;
  readonly opensNoSession = true;
  receiver: Receiver | undefined;

  constructor({ facts }: Exchange) {
    this.facts = facts;
  }

  start(receiver: Receiver): void {
    this.receiver = receiver;
  }

  send(): undefined {
    return undefined;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/**
 * Answers a handshake without opening a session.
 * @throws TypeError if the application does not start the connection synchronously.
 */
export function answerHandshake(application: Application, value: unknown, exchange: Exchange): Answer {
  const connection = new HandshakeConnection(exchange);
  application.accept(connection);
  const { receiver } = connection;
  if (receiver === undefined)
    throw new TypeError('An application must call connection.start before accept returns.');
  const answer = receiver.receive(value, exchange);
  if (answer instanceof Promise) return answer.finally(() => receiver.closed());
  receiver.closed();
  return answer;
}
