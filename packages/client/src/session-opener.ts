import { type ClientCapabilities, type Revision, SessionError } from '@tenon/mcp-protocol';
import { type Behaviour, Endpoint, type NotificationHandler } from '@tenon/mcp-session';
import type { Dialer } from './dialer.js';
import { negotiate } from './negotiation.js';
import type { Session } from './session.js';

/** What opening sessions needs to know. */
export interface OpenerSettings {
  readonly dialer: Dialer;
  /** How this client behaves in each of them. */
  readonly behaviour: Behaviour;
  readonly notifications: ReadonlyMap<string, NotificationHandler>;
  readonly capabilities: ClientCapabilities;
  /** The revision the application pinned. */
  readonly pinned: Revision | undefined;
  /** Milliseconds to wait for the answer to a probe. */
  readonly probeTimeout: number;
}

/** Opens sessions to one server, one after another, and remembers which revision it speaks. */
export class SessionOpener {
  readonly #settings: OpenerSettings;
  #known: Revision | undefined;
  #newest: Endpoint | undefined;
  #closed = false;

  constructor(settings: OpenerSettings) {
    this.#settings = settings;
  }

  /**
   * Opens a connection and settles its revision. Rejects as {@link negotiate} does, or when the connection fails.
   * @param onClosed - hears of the end of each connection opened for it.
   */
  async open(onClosed: (endpoint: Endpoint, reason: Error | undefined) => void): Promise<Session> {
    const { behaviour, capabilities, dialer, pinned, probeTimeout } = this.#settings;
    try {
      const session = await negotiate({
        revisions: behaviour.revisions,
        settled: pinned ?? this.#known,
        probeTimeout,
        clock: behaviour.clock,
        info: behaviour.info,
        capabilities,
        restartable: dialer.restartable,
        dial: () => this.#dial(onClosed),
      });
      this.#known = session.revision;
      return session;
    } catch (error) {
      // What was known of the server no longer holds, perhaps: the next attempt asks again.
      this.#known = undefined;
      throw error;
    }
  }

  /** Closes the newest connection, and whichever is opened from now on. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#newest?.close();
  }

  async #dial(onClosed: (endpoint: Endpoint, reason: Error | undefined) => void): Promise<Endpoint> {
    const { behaviour, capabilities, dialer, notifications } = this.#settings;
    this.#requireWanted();
    const connection = await dialer.open();
    const stamp = { clientCapabilities: capabilities, clientInfo: behaviour.info };
    const endpoint = new Endpoint(behaviour, connection, { stamp, notifications });
    // Opening may have taken so long that nobody wants it any more.
    if (this.#closed) endpoint.close().catch(() => undefined);
    this.#requireWanted();
    this.#newest = endpoint;
    endpoint.onClosed((reason) => onClosed(endpoint, reason));
    return endpoint.start();
  }

  #requireWanted(): void {
    if (this.#closed) throw new SessionError('closed', 'The client was closed while it connected.');
  }
}
