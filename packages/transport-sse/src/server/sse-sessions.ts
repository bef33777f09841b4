import { type Clock, detach } from '@tenon/foundation';
import type { Exchange, Principal } from '@tenon/mcp-protocol';
import type { Application, HttpCall, SessionEnd } from '@tenon/mcp-transport-http/server';
import {
  expiryOf,
  Heartbeat,
  type HeartbeatListener,
  type HttpBounds,
  ownerOf,
} from '@tenon/mcp-transport-http/server/internal';
import { type MessageSender, SseSession } from './sse-session.js';

/** The settings that all sessions of one mount share. */
export interface SessionsSettings {
  readonly application: Application;
  readonly messagesPath: string;
  readonly limits: HttpBounds;
  readonly clock: Clock;
  /** Called with errors of this mount. Does not throw. */
  readonly onError: Application['onError'];
}

/** One session, and its end at the server. */
interface OpenSession {
  readonly session: SseSession;
  readonly end: SessionEnd;
}

/** All sessions of one mount, by id and by caller. */
export class SseSessions implements HeartbeatListener {
  readonly #settings: SessionsSettings;
  readonly #table = new Map<string, OpenSession>();
  /** The number of sessions of each caller. */
  readonly #held = new Map<string, number>();
  readonly #heartbeat: Heartbeat;

  constructor(settings: SessionsSettings) {
    this.#settings = settings;
    this.#heartbeat = new Heartbeat(settings.clock, settings.limits.keepAlive);
  }

  get size(): number {
    return this.#table.size;
  }

  /**
   * Returns the reason that no session can be opened; undefined if one can.
   * @param caller - the key of the principal or of the network address.
   */
  obstacle(caller: string | undefined): string | undefined {
    const { sessions, sessionsPerPrincipal } = this.#settings.limits;
    if (this.#table.size >= sessions) {
      return `This server holds ${sessions} event streams already; try again later.`;
    }
    const mine = caller === undefined ? 0 : (this.#held.get(caller) ?? 0);
    if (mine < sessionsPerPrincipal) return undefined;
    return `You hold ${mine} event streams already; close one, or try again later.`;
  }

  /** Opens a session on the stream of a request. */
  open(call: HttpCall, principal: Principal | undefined): void {
    const { application, messagesPath, clock, onError } = this.#settings;
    const session = new SseSession(call, {
      principal,
      messagesPath,
      idPrefix: application.processes === undefined ? '' : `${application.processes.id}.`,
      openedAt: clock.now(),
      until: expiryOf(principal, clock),
      onError,
      ended: (one) => this.#leave(one),
    });
    const end = application.accept(session);
    if (!session.started) throw new TypeError('An application must start the connection it accepts at once.');
    if (session.receiver !== undefined) this.#enter({ session, end });
  }

  /** Returns the session with that id if it belongs to the principal; otherwise undefined. */
  find(id: string, principal: Principal | undefined): SseSession | undefined {
    const session = this.#table.get(id)?.session;
    return session?.owner === ownerOf(principal) ? session : undefined;
  }

  exchange(session: SseSession, sender: MessageSender): Exchange {
    return session.exchange(sender, expiryOf(sender.principal, this.#settings.clock));
  }

  /** Ends every session when its requests in flight have finished. */
  async drain(): Promise<void> {
    await Promise.all([...this.#table.values()].map(({ end }) => end.close()));
  }

  beat(now: number, isDue: boolean): void {
    const { sessionLifetime } = this.#settings.limits;
    for (const { session, end } of this.#table.values()) {
      if (now - session.openedAt >= sessionLifetime || session.hasExpired(now))
        detach(end.close(), (error) => this.#settings.onError(error, 'sse'));
      else if (isDue) session.keepAlive();
    }
  }

  #enter(open: OpenSession): void {
    if (this.#table.size === 0) this.#heartbeat.add(this);
    const { id, caller } = open.session;
    this.#table.set(id, open);
    if (caller !== undefined) this.#held.set(caller, (this.#held.get(caller) ?? 0) + 1);
  }

  #leave({ id, caller }: SseSession): void {
    if (!this.#table.delete(id)) return;
    if (this.#table.size === 0) this.#heartbeat.delete(this);
    if (caller === undefined) return;
    const left = (this.#held.get(caller) ?? 1) - 1;
    if (left > 0) this.#held.set(caller, left);
    else this.#held.delete(caller);
  }
}
