import type { Connection, Principal, Revision, SessionSettings } from '@tenon/mcp-protocol';
import { type Behaviour, Endpoint, type EndpointOptions } from '@tenon/mcp-session';
import { adoptLevel } from '../context/logging.js';
import { adoptSubscriptions } from '../features/resources/session-subscriptions.js';
import type { SubscriptionParts } from '../features/resources/subscribed-text.js';
import type { ServerProcesses } from './server-processes.js';
import { SharedListener } from './shared-listener.js';

/** The server's end of a session that several processes may serve. */
export class SharedEndpoint extends Endpoint {
  /** The listener of the session; undefined before the handshake. */
  #listener: SharedListener | undefined;
  readonly #processes: ServerProcesses;

  constructor(
    { behaviour, processes }: { readonly behaviour: Behaviour; readonly processes: ServerProcesses },
    connection: Connection,
    options: EndpointOptions,
  ) {
    super(behaviour, connection, options);
    this.#processes = processes;
  }

  /** Returns the listener of the session that begins. */
  listen(session: {
    readonly revision: Revision;
    readonly principal?: Principal | undefined;
  }): SharedListener {
    this.#listener = new SharedListener(this, session, this.#processes.postponed);
    return this.#listener;
  }

  /** Replaces the settings by those that the client has made in another process. */
  adopt(settings: SessionSettings): void {
    adoptSettings(this.#processes.subscriptions, this, settings);
  }

  /** Notifies the client of everything that it listens to: messages about changes may have been lost. */
  missed(): void {
    if (this.#listener === undefined) return;
    this.#listener.takePostponed();
    this.#processes.catchUp(this.#listener);
  }

  /** Sends the changes that the client could not receive before: it has opened the stream for them. */
  streamOpened(): void {
    if (this.#listener !== undefined) this.#processes.sendPostponed(this.#listener);
  }
}

/** Replaces the settings of a session by those that its client has made in another process. Reports settings that it cannot adopt. */
export function adoptSettings(
  subscriptions: SubscriptionParts,
  endpoint: Endpoint,
  { logLevel, subscriptions: uris = [] }: SessionSettings,
): void {
  if (endpoint.state === 'closed') return;
  if (logLevel !== undefined) adoptLevel(subscriptions.onError, endpoint, logLevel);
  adoptSubscriptions(subscriptions, endpoint, uris);
}
