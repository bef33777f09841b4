import type { Connection, SessionSettings } from '@tenon/mcp-protocol';
import { type Behaviour, Endpoint, type EndpointOptions } from '@tenon/mcp-session';
import { adoptSettings } from '../features/adopted-settings.js';
import type { Listener } from '../lists/audience.js';
import type { ServerCluster } from './server-cluster.js';

/** The server's end of a session that several processes may serve. */
export class SharedEndpoint extends Endpoint {
  /** The listener of the session; undefined before the handshake. */
  listener: Listener | undefined;
  readonly #cluster: ServerCluster;

  constructor(
    { behaviour, cluster }: { readonly behaviour: Behaviour; readonly cluster: ServerCluster },
    connection: Connection,
    options: EndpointOptions,
  ) {
    super(behaviour, connection, options);
    this.#cluster = cluster;
  }

  /** Replaces the settings by those that the client has made in another process. */
  adopt(settings: SessionSettings): void {
    adoptSettings(this.#cluster.definition, this, settings);
  }

  /** Notifies the client of everything that it listens to: messages about changes may have been lost. */
  missed(): void {
    if (this.listener !== undefined) this.#cluster.catchUp(this.listener);
  }
}
