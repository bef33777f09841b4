import { BoundedMap } from '@tenon/foundation';
import { type Revision, SessionError } from '@tenon/mcp-protocol';
import { type Behaviour, Endpoint, type NotificationHandler } from '@tenon/mcp-session';
import type { IconFilter } from '../icons/icons.js';
import type { DebugLog } from './debug-log.js';
import type { Dialer } from './dialer.js';
import { isOtherServer } from './http-probe.js';
import { type Negotiation, negotiate } from './negotiation.js';
import type { Session } from './session.js';

/** The dependencies of opening sessions. */
export interface OpenerSettings extends Pick<Negotiation, 'capabilities' | 'connectTimeout'> {
  readonly dialer: Dialer;
  /** The behaviour of the client in each session. */
  readonly behaviour: Behaviour;
  readonly notifications: ReadonlyMap<string, NotificationHandler>;
  /** Called if notifications of changes may have been missed in an open session. */
  readonly onMissed: () => void;
  /** The revision that the application set. */
  readonly pinned: Revision | undefined;
  readonly icons: IconFilter;
  /** Writes the messages of each connection. */
  readonly debug: DebugLog | undefined;
}

type OnClosed = (endpoint: Endpoint, reason: Error | undefined) => void;

/** Opens sessions to one server, one after another, and stores the result of the probe. */
export class SessionOpener {
  readonly #settings: OpenerSettings;
  /** The name under which the clients of this process share the result of the probe. */
  readonly #name: string | undefined;
  #known: Verdict | undefined;
  #older: Dialer | undefined;
  #newest: Endpoint | undefined;
  #closed = false;

  constructor(settings: OpenerSettings) {
    this.#settings = settings;
    const { dialer, behaviour } = settings;
    // A result is only valid for clients with the same revisions.
    const ours = behaviour.revisions.map((one) => one.id).join();
    this.#name = dialer.server === undefined ? undefined : `${dialer.server} ${ours}`;
  }

  /**
   * Opens a connection and negotiates its revision. Rejects as {@link negotiate} does, or if the connection fails.
   * @param onClosed - called with the end of each connection opened for it.
   */
  async open(onClosed: OnClosed): Promise<Session> {
    const known = this.#name === undefined ? this.#known : verdicts.get(this.#name);
    try {
      return await this.#negotiate(known, onClosed);
    } catch (error) {
      // The stored result may be outdated.
      this.#forget();
      if (known === undefined || this.#name === undefined || !isOtherServer(error)) throw error;
      return await this.#negotiate(undefined, onClosed);
    }
  }

  async #negotiate(known: Verdict | undefined, onClosed: OnClosed): Promise<Session> {
    const { behaviour, capabilities, connectTimeout, dialer, pinned } = this.#settings;
    let older = known?.older ?? false;
    const dialOlder = () => {
      older = true;
      return this.#dialOlder(onClosed);
    };
    const session = await negotiate({
      revisions: behaviour.revisions,
      // The stored revision belongs to another client: ours is the one of the same name.
      settled: pinned ?? behaviour.revisions.find((one) => one.id === known?.revision.id),
      connectTimeout,
      requestTimeout: behaviour.limits.requestTimeout,
      clock: behaviour.clock,
      info: behaviour.info,
      capabilities,
      restartable: dialer.restartable,
      dial: () => (older ? this.#dialOlder(onClosed) : this.#dial(dialer, onClosed)),
      dialOlder: older || dialer.older === undefined ? undefined : dialOlder,
    });
    if (session.inDoubt !== true) this.#remember({ revision: session.revision, older });
    const { icons } = this.#settings;
    const { description } = session;
    return {
      ...session,
      server: icons.cleanServer(session.server),
      ...(description && { description: icons.clean('server/discover', description) }),
    };
  }

  #remember(verdict: Verdict): void {
    if (this.#name === undefined) this.#known = verdict;
    else verdicts.set(this.#name, lasting(verdict, this.#settings.behaviour.revisions));
  }

  #forget(): void {
    this.#known = undefined;
    if (this.#name !== undefined) verdicts.delete(this.#name);
  }

  /** The last lines that the server of the newest connection printed. */
  get stderr(): readonly string[] {
    return this.#newest?.connection.stderr ?? [];
  }

  /** Closes the newest connection, and every later one. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#newest?.close();
  }

  async #dialOlder(onClosed: OnClosed): Promise<Endpoint> {
    this.#older ??= await this.#settings.dialer.older?.();
    return this.#dial(this.#older as Dialer, onClosed);
  }

  async #dial(dialer: Dialer, onClosed: OnClosed): Promise<Endpoint> {
    const { behaviour, capabilities, debug, notifications, onMissed } = this.#settings;
    this.#requireWanted();
    const connection = await dialer.open();
    debug?.watch(connection);
    const stamp = (revision: Revision) => ({
      clientCapabilities: capabilities(revision),
      clientInfo: behaviour.info,
    });
    const endpoint = new Endpoint(behaviour, connection, { stamp, notifications });
    // The client may have been closed meanwhile.
    if (this.#closed) endpoint.close().catch(() => undefined);
    this.#requireWanted();
    this.#newest = endpoint;
    endpoint.onClosed((reason) => onClosed(endpoint, reason));
    connection.onMissed?.(onMissed);
    return endpoint.start();
  }

  #requireWanted(): void {
    if (this.#closed) throw new SessionError('closed', 'The client was closed while it connected.');
  }
}

/** The result of a probe. */
export interface Verdict {
  /** The revision of the connection. */
  readonly revision: Revision;
  /** True if only the older transport reaches it. */
  readonly older: boolean;
}

/** The results of probes of all clients of this process by server name, until the process ends. */
const verdicts = new BoundedMap<string, Verdict>(1_000);

/**
 * The part of a result that outlasts one connection: a handshake negotiates the revision itself, and starts with
 * the newest one, so that an upgraded server can choose it.
 */
export function lasting(verdict: Verdict, ours: readonly Revision[]): Verdict {
  const { revision, older } = verdict;
  const newest = ours.find((one) => one.lifecycle === 'handshake');
  return revision.lifecycle === 'handshake' && newest !== undefined ? { revision: newest, older } : verdict;
}
