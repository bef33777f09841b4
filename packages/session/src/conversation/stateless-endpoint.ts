import {
  type Connection,
  ErrorCode,
  MetaKey,
  type Revision,
  refusals,
  type WireError,
} from '@tenon/mcp-protocol';
import type { Behaviour } from '../requests/behaviour.js';
import { Endpoint } from './endpoint.js';
import type { EndpointOptions, Lifecycle } from './lifecycle.js';
import { refuseHandshake } from './negotiation.js';

/** Messages that belong to no connection. Their revision is in each of them, or in its route. */
const statelessLifecycle: Lifecycle = {
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

const noConnection: Connection = {
  facts: {},
  start: () => {},
  send: () => undefined,
  close: () => Promise.resolve(),
};

/**
 * Creates the end of all exchanges without a connection: one endpoint serves all peers.
 * @param notifications - notifications of extensions: those of the core are not read there.
 */
export function statelessEndpoint(
  behaviour: Behaviour,
  notifications: NonNullable<EndpointOptions['notifications']> = new Map(),
): Endpoint {
  return new Endpoint(behaviour, noConnection, { lifecycle: statelessLifecycle, notifications });
}
