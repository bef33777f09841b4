import { type ClientCapabilities, type Revision, SessionError } from '@tenon/mcp-protocol';
import { type Behaviour, Endpoint, type NotificationHandler } from '@tenon/mcp-session';
import type { Dialer } from './dialer.js';
import type { IconFilter } from './features/icons.js';
import { isOtherServer } from './http-probe.js';
import { negotiate } from './negotiation.js';
import type { Session } from './session.js';
import { lasting, type Verdict, verdicts } from './verdicts.js';

/** What opening sessions needs to know. */
export interface OpenerSettings {
  readonly dialer: Dialer;
  /** How this client behaves in each of them. */
  readonly behaviour: Behaviour;
  readonly notifications: ReadonlyMap<string, NotificationHandler>;
  /** Hears that changes may have gone unheard in a session that goes on. */
  readonly onMissed: () => void;
  /** What this client declares in a revision. */
  readonly capabilities: (revision: Revision) => ClientCapabilities;
  /** The revision the application pinned. */
  readonly pinned: Revision | undefined;
  /** Milliseconds to wait for the answer to a probe, where the application says. */
  readonly probeTimeout: number | undefined;
  readonly icons: IconFilter;
}

type OnClosed = (endpoint: Endpoint, reason: Error | undefined) => void;

/** Opens sessions to one server, one after another, and remembers what was found out of it. */
export class SessionOpener {
  readonly #settings: OpenerSettings;
  /** Under which name other clients of this process find what this one found out. */
  readonly #name: string | undefined;
  #known: Verdict | undefined;
  #older: Dialer | undefined;
  #newest: Endpoint | undefined;
  #closed = false;

  constructor(settings: OpenerSettings) {
    this.#settings = settings;
    const { dialer, behaviour } = settings;
    // What one client found out is no guide for another that may speak more.
    const ours = behaviour.revisions.map((one) => one.id).join();
    this.#name = dialer.server === undefined ? undefined : `${dialer.server} ${ours}`;
  }

  /**
   * Opens a connection and settles its revision. Rejects as {@link negotiate} does, or when the connection fails.
   * @param onClosed - hears of the end of each connection opened for it.
   */
  async open(onClosed: OnClosed): Promise<Session> {
    const known = this.#name === undefined ? this.#known : verdicts.get(this.#name);
    try {
      return await this.#negotiate(known, onClosed);
    } catch (error) {
      // What was known of the server no longer holds, perhaps.
      this.#forget();
      if (known === undefined || this.#name === undefined || !isOtherServer(error)) throw error;
      return await this.#negotiate(undefined, onClosed);
    }
  }

  async #negotiate(known: Verdict | undefined, onClosed: OnClosed): Promise<Session> {
    const { behaviour, capabilities, dialer, pinned, probeTimeout } = this.#settings;
    let older = known?.older ?? false;
    const dialOlder = () => {
      older = true;
      return this.#dialOlder(onClosed);
    };
    const session = await negotiate({
      revisions: behaviour.revisions,
      // What another client of this process found out is a revision of its own: ours is the one of that name.
      settled: pinned ?? behaviour.revisions.find((one) => one.id === known?.revision.id),
      probeTimeout,
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

  /** Closes the newest connection, and whichever is opened from now on. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#newest?.close();
  }

  async #dialOlder(onClosed: OnClosed): Promise<Endpoint> {
    this.#older ??= await this.#settings.dialer.older?.();
    return this.#dial(this.#older as Dialer, onClosed);
  }

  async #dial(dialer: Dialer, onClosed: OnClosed): Promise<Endpoint> {
    const { behaviour, capabilities, notifications, onMissed } = this.#settings;
    this.#requireWanted();
    const connection = await dialer.open();
    const stamp = (revision: Revision) => ({
      clientCapabilities: capabilities(revision),
      clientInfo: behaviour.info,
    });
    const endpoint = new Endpoint(behaviour, connection, { stamp, notifications });
    // Opening may have taken so long that nobody wants it any more.
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
