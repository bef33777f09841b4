import {
  ErrorCode,
  type InboundRequest,
  MetaKey,
  type Revision,
  refusals,
  type WireError,
} from '@tenon/mcp-protocol';
import type { Refusals } from '../incoming/batch.js';
import { refusalOf, type Standing, type Traffic } from './admitting.js';
import { refuseHandshake } from './negotiation.js';

/** The relation between the messages that one endpoint receives. */
export interface Lifecycle {
  /**
   * They share a connection: an id names one request, a notification can cancel it, and this end can send requests.
   * Otherwise each message is an exchange of its own, and two peers may use the same ids.
   */
  readonly converses: boolean;
  /** Returns the error for a request that is rejected; undefined if it is accepted. */
  refusalOf(message: InboundRequest, standing: Standing, traffic: Traffic): WireError | undefined;
  /** Notifies the transport that a message is rejected because of its position in the conversation. */
  refused(exchange: Refusals): void;
}

/** All messages of one connection. A handshake may settle its revision. */
export const handshakeLifecycle: Lifecycle = { converses: true, refusalOf, refused: () => {} };

/** Messages that belong to no connection. Their revision is in each of them, or in its route. */
export const statelessLifecycle: Lifecycle = {
  converses: false,
  refusalOf: ({ revision, method, params }, { supported }) =>
    revision === undefined ? unstated(method, params?.protocolVersion, supported) : undefined,
  refused: (exchange) => exchange.refused?.(refusals['no-version'].status),
};

function unstated(method: string, requested: unknown, supported: readonly Revision[]): WireError {
  if (method === 'initialize') return refuseHandshake(requested, supported);
  const message = `params._meta: "${MetaKey.protocolVersion}" is required.`;
  return { code: ErrorCode.invalidParams, message };
}
