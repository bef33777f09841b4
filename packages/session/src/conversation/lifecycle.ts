import type { InboundRequest, RequestStamp, Revision, WireError } from '@tenon/mcp-protocol';
import type { Refusals } from '../incoming/batch.js';
import type { NotificationHandler } from '../requests/behaviour.js';
import { type RequestsInFlight, refusalOf, type Standing } from './admitting.js';

/** The relation between the messages that one endpoint receives. */
export interface Lifecycle {
  /**
   * They share a connection: an id names one request, a notification can cancel it, and this end can send requests.
   * Otherwise each message is an exchange of its own, and two peers may use the same ids.
   */
  readonly converses: boolean;
  /** Returns the error for a request that is rejected; undefined if it is accepted. */
  refusalOf(message: InboundRequest, standing: Standing, inFlight: RequestsInFlight): WireError | undefined;
  /** Notifies the transport that a message is rejected because of its position in the conversation. */
  refused(exchange: Refusals): void;
}

/** All messages of one connection. A handshake may settle its revision. */
export const handshakeLifecycle: Lifecycle = { converses: true, refusalOf, refused: () => {} };

/** The settings of one connection before it starts. */
export interface EndpointOptions {
  /** The revision, if it is known without a handshake. */
  readonly revision?: Revision;
  /** The client info and capabilities that requests of a stateless revision carry; called once for each revision in turn. */
  readonly stamp?: (revision: Revision) => RequestStamp;
  /** The notifications of this end, by method. */
  readonly notifications?: ReadonlyMap<string, NotificationHandler>;
  /** Default: {@link handshakeLifecycle}, for connections. */
  readonly lifecycle?: Lifecycle;
}
