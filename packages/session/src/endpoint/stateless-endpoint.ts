import type { Connection } from '@tenon/mcp-protocol';
import type { Behaviour } from './behaviour.js';
import { Endpoint } from './endpoint.js';
import { statelessLifecycle } from './lifecycle.js';

const noConnection: Connection = {
  facts: {},
  start: () => {},
  send: () => undefined,
  close: () => Promise.resolve(),
};

/** Makes the end of all exchanges that belong to no connection: one serves all peers. */
export function statelessEndpoint(behaviour: Behaviour): Endpoint {
  return new Endpoint(behaviour, noConnection, { lifecycle: statelessLifecycle });
}
