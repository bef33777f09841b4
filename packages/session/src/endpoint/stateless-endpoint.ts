import type { Connection } from '@tenon/mcp-protocol';
import type { Behaviour, EndpointOptions } from './behaviour.js';
import { Endpoint } from './endpoint.js';
import { statelessLifecycle } from './lifecycle.js';

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
