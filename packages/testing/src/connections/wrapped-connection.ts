import type {
  Answer,
  Connection,
  Envelope,
  Exchange,
  Receiver,
  Revision,
  TransportFacts,
} from '@tenon/mcp-protocol';
import type { UnreadId } from '@tenon/mcp-protocol/internal';

/** A connection around another one, with the same interface to both ends. */
export abstract class WrappedConnection implements Connection {
  protected readonly inner: Connection;
  protected receiver: Receiver | undefined;
  declare readonly intermittent?: boolean;
  declare readonly needsHandshake?: boolean;
  declare readonly carriesHeaders?: boolean;
  declare readonly settled?: NonNullable<Connection['settled']>;
  declare readonly onMissed?: NonNullable<Connection['onMissed']>;
  declare readonly onReachable?: NonNullable<Connection['onReachable']>;
  declare readonly cancel?: NonNullable<Connection['cancel']>;
  declare readonly release?: NonNullable<Connection['release']>;
  declare readonly onEnding?: NonNullable<Connection['onEnding']>;

  constructor(inner: Connection) {
    this.inner = inner;
    // A member that exists declares a feature of the transport, so this connection copies only existing members.
    const { intermittent, needsHandshake, carriesHeaders } = inner;
    if (intermittent !== undefined) this.intermittent = intermittent;
    if (needsHandshake !== undefined) this.needsHandshake = needsHandshake;
    if (carriesHeaders !== undefined) this.carriesHeaders = carriesHeaders;
    if (inner.settled) this.settled = (revision: Revision, peer) => inner.settled?.(revision, peer);
    if (inner.onMissed) this.onMissed = (listener) => inner.onMissed?.(listener);
    if (inner.onReachable) this.onReachable = (listener) => inner.onReachable?.(listener);
    if (inner.cancel) this.cancel = (id) => inner.cancel?.(id) === true;
    if (inner.release) this.release = (retry) => inner.release?.(retry);
    if (inner.onEnding) this.onEnding = (task) => inner.onEnding?.(task) ?? (() => {});
  }

  get stderr(): readonly string[] {
    return this.inner.stderr ?? [];
  }

  get strayLines(): readonly string[] {
    return this.inner.strayLines ?? [];
  }

  get facts(): TransportFacts {
    return this.inner.facts;
  }

  start(receiver: Receiver): void {
    this.receiver = receiver;
    const own = (exchange: Exchange): Exchange => (exchange === this.inner ? this : exchange);
    this.inner.start({
      receive: (value, exchange) => this.received(value, own(exchange)),
      malformed: (reason, exchange, unread) => this.malformed(reason, own(exchange), unread),
      closed: (reason) => this.closed(reason),
      onError: (error, where) => this.receiver?.onError?.(error, where),
    });
  }

  send(frame: string, envelope?: Envelope): Promise<void> | undefined {
    return this.inner.send(frame, envelope);
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  /** Handles a received message. */
  protected received(value: unknown, exchange: Exchange): Answer {
    return this.receiver?.receive(value, exchange);
  }

  /** Handles a received frame that is not a valid message. @param unread - the id of the message, if known */
  protected malformed(reason: string, exchange: Exchange, unread?: UnreadId): Answer {
    return this.receiver?.malformed(reason, exchange, unread);
  }

  /** Handles the end of the inner connection. */
  protected closed(reason: Error | undefined): void {
    this.receiver?.closed(reason);
  }
}
