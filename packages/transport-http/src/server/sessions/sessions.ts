import { type Clock, detach, randomId, withinTime } from '@tenon/foundation';
import { type Principal, SessionError, type SessionSettings } from '@tenon/mcp-protocol';
import { type Sender, senderOf } from '../admission/sender.js';
import type { Application } from '../call/application.js';
import { Heartbeat, type HeartbeatListener } from '../call/heartbeat.js';
import type { HttpCall } from '../call/http-call.js';
import type { HttpBounds } from '../call/http-limits.js';
import type { EventStore } from '../streams/event-store.js';
import { LocalStreams } from '../streams/local-streams.js';
import type { SessionStreams } from '../streams/session-streams.js';
import { HttpSession, ownerOf, type SessionHost } from './http-session.js';
import { PassingMessages, type Serve } from './passing-messages.js';
import { type SessionHolder, SessionQuota } from './session-quota.js';
import { type CheckedRecord, checkedRecord, type SessionRecord } from './session-record.js';
import type { SharedSessions } from './shared-sessions.js';

export interface SessionsSettings {
  readonly application: Application;
  readonly limits: HttpBounds;
  readonly clock: Clock;
  /** The events of streams, if one process serves the sessions. */
  readonly events: EventStore;
  readonly jsonOnly: boolean;
  readonly onError: (error: unknown, where: string) => void;
}

/** All sessions of one endpoint, by id and by owner. */
export class Sessions implements SessionHost, HeartbeatListener {
  readonly jsonOnly: boolean;
  readonly onError: SessionsSettings['onError'];
  readonly #settings: SessionsSettings;
  readonly #table = new Map<string, HttpSession>();
  readonly #quota = new SessionQuota<HttpSession>();
  readonly #passing: PassingMessages;
  readonly #reviving = new Map<string, Promise<HttpSession | undefined>>();
  /** Ids of ended sessions that the shared state may still hold. */
  readonly #removing = new Set<string>();
  readonly heartbeat: Heartbeat;
  #shared: SharedSessions | undefined;
  #opening = 0;
  #draining = false;

  constructor(settings: SessionsSettings) {
    const { limits, clock, jsonOnly, onError } = settings;
    this.#settings = settings;
    this.jsonOnly = jsonOnly;
    this.onError = onError;
    this.heartbeat = new Heartbeat(clock, limits.keepAlive);
    this.#passing = new PassingMessages(limits.sessions);
  }

  /** Set if other processes serve the sessions as well, and {@link load} has resolved. */
  get shared(): SharedSessions | undefined {
    return this.#shared;
  }

  /**
   * Loads the code of sessions that several processes serve: servers without shared state do without. Call it before the first
   * request is served. Undefined if one process serves the sessions.
   */
  load(): Promise<void> | undefined {
    const { application, limits, clock } = this.#settings;
    const { processes } = application;
    if (processes === undefined) return undefined;
    return import('./shared-sessions.js').then(({ SharedSessions }) => {
      if (this.#draining) return;
      this.#shared = new SharedSessions({
        processes,
        limits,
        clock,
        onError: this.onError,
        events: application.events,
        sessions: this.#table,
        leave: (session) => this.#leaveToOthers(session, 'The session was ended.'),
        isRepeatable: (message) => application.isRepeatable?.(message) === true,
      });
    });
  }

  get idPrefix(): string | undefined {
    return this.shared?.idPrefix;
  }

  get size(): number {
    return this.#table.size;
  }

  /** True when no session is opened or continued any more. */
  get draining(): boolean {
    return this.#draining;
  }

  // Whole: an engine stores small integers in the object itself, and other numbers in separate objects.
  now(): number {
    return Math.floor(this.#settings.clock.now());
  }

  /** Returns the reason why a sender cannot open a session; undefined if it can. */
  obstacle({ principal, remoteAddress }: Sender): string | undefined {
    const holder = this.#quota.of(ownerOf(principal), remoteAddress);
    if (this.#hasRoom(holder) || holder?.oldestUnused !== undefined) return undefined;
    if (this.#isFull) {
      return `This server holds ${this.#settings.limits.sessions} sessions already; try again later.`;
    }
    const who = holder?.known === false ? 'Your address holds' : 'You hold';
    return `${who} ${holder?.held} sessions already; end one with DELETE, or try again later.`;
  }

  /**
   * Makes a session that requests cannot find yet: call {@link keep} when its handshake has succeeded, or {@link drop}. If
   * its address has too many sessions, the oldest unused one of them is ended.
   */
  open(sender: Sender): HttpSession {
    const holder = this.#quota.of(ownerOf(sender.principal), sender.remoteAddress);
    const session = new HttpSession(randomId(sessionIdBytes), { sender, holder, host: this });
    session.serveBy(this.#settings.application);
    this.#makeRoom(holder);
    this.#opening++;
    this.#quota.add(holder);
    return session;
  }

  /** Makes a session available to requests. Drops it and rejects if the shared state does not accept it. */
  keep(session: HttpSession): undefined | Promise<void> {
    this.#opening--;
    this.#enter(session);
    session.holder?.opened(session);
    const record = this.shared && recordOf(session);
    return record === undefined ? undefined : this.#put(session, record);
  }

  /** Drops a session after its handshake has failed. */
  drop(session: HttpSession): void {
    this.#opening--;
    this.#quota.remove(session.holder);
    this.#drain(session);
  }

  /** Returns the session with an id if it belongs to the sender; undefined otherwise. */
  find(
    id: string,
    principal: Principal | undefined,
    call: Pick<HttpCall, 'guard' | 'remoteAddress'>,
  ): HttpSession | undefined | Promise<HttpSession | undefined> {
    const found = this.#table.get(id);
    const owner = ownerOf(principal);
    if (found !== undefined) {
      if (found.owner !== owner) return undefined;
      found.principal = principal;
      return this.#used(found);
    }
    if (this.shared === undefined || !isSessionId(id) || this.#removing.has(id)) return undefined;
    return this.#revived(this.shared, id, senderOf(call, principal)).then((revived) =>
      revived !== undefined && revived.owner === owner ? this.#used(revived) : undefined,
    );
  }

  /**
   * Serves a message of a session that this process does not keep.
   * @returns false if the sender has no such session; undefined if too many messages are being served so.
   */
  async pass(id: string, sender: Sender, serve: Serve): Promise<boolean | undefined> {
    if (this.#passing.isFull) return undefined;
    if (this.shared === undefined || !isSessionId(id) || this.#removing.has(id)) return false;
    const make = (given: unknown) => this.#restored(id, sender, { given, isPassing: true });
    const restored = this.shared.restore(id, make).then((session) => session && this.#used(session));
    return this.#passing.serve(restored, serve);
  }

  /**
   * Ends a session for good. Its running requests are cancelled: their answers can no longer be received.
   * @param why - one sentence for the clients that wait for an answer.
   */
  remove(session: HttpSession, why: string): Promise<void> {
    this.#removing.add(session.id);
    this.#leave(session);
    session.receiver.closed(new SessionError('closed', why));
    return this.#erase(session).finally(() => this.#removing.delete(session.id));
  }

  /** Closes every session of this process. Other processes go on with those that they share. */
  async drain(): Promise<void> {
    this.#draining = true;
    await Promise.all([...this.#table.values()].map((session) => session.drain()));
    await this.#passing.served();
    await this.shared?.close();
  }

  inTime(work: Promise<unknown>): Promise<unknown> {
    return withinTime(work, { clock: this.#settings.clock, ms: this.#settings.limits.drain, holds: true });
  }

  streamsOf(session: HttpSession): SessionStreams {
    const { limits, events } = this.#settings;
    return (
      this.shared?.streamsFor(session) ??
      new LocalStreams(session, { store: events, retry: limits.retry, onError: this.onError })
    );
  }

  saveSettings(session: HttpSession, change: (settings: SessionSettings) => SessionSettings): Promise<void> {
    return this.shared?.saveSettings(session, change) ?? Promise.resolve();
  }

  /** Called when a session has ended for any reason. */
  ended(session: HttpSession): void | Promise<void> {
    this.#leave(session);
    if (this.shared === undefined) return this.#settings.events.forget(session.id);
  }

  beat(now: number, isDue: boolean): void {
    const { sessionUnused, sessionIdle, sessionLifetime } = this.#settings.limits;
    for (const session of this.#table.values()) {
      session.keepAlive(now, isDue);
      if (session.busy) this.#used(session);
      const idle = session.visited ? sessionIdle : Math.min(sessionUnused, sessionIdle);
      const expired = now - session.openedAt >= sessionLifetime;
      if (expired || now - session.usedAt >= idle) this.#expire(session, expired);
    }
  }

  #expire(session: HttpSession, everywhere: boolean): void {
    const why = 'The session has expired.';
    // The session may be in use at another process: the shared state drops unused sessions itself.
    if (everywhere || this.shared === undefined) this.#end(session, why);
    else this.#leaveToOthers(session, why);
  }

  /** Ends a session in this process alone. */
  #leaveToOthers(session: HttpSession, why: string): void {
    detach(this.#letGo(session, why), (error) => this.onError(error, 'state'));
  }

  #end(session: HttpSession, why: string): void {
    this.remove(session, why).catch((error: unknown) => this.onError(error, 'state'));
  }

  #drain(session: HttpSession): void {
    detach(session.drain(), (error) => this.onError(error, 'http'));
  }

  async #letGo(session: HttpSession, why: string): Promise<void> {
    this.#leave(session);
    session.receiver.closed(new SessionError('closed', why));
    await this.#close(session);
  }

  async #erase(session: HttpSession): Promise<void> {
    try {
      await this.shared?.delete(session.id);
    } finally {
      await this.#close(session);
    }
  }

  /** Ends a session in this process. A failure to delete its events is reported and otherwise ignored. */
  async #close(session: HttpSession): Promise<void> {
    try {
      await session.close();
    } catch (error) {
      this.onError(error, 'event store');
    }
  }

  #used(session: HttpSession): HttpSession {
    const now = this.now();
    session.usedAt = now;
    if (!session.visited) {
      session.visited = true;
      session.holder?.used(session);
    }
    const { limits } = this.#settings;
    // Not for each request: often enough that the shared state keeps the session, and that its end is noticed soon.
    if (
      this.#shared !== undefined &&
      now - session.touchedAt >= Math.min(limits.touch, limits.sessionIdle / 10)
    ) {
      session.touchedAt = now;
      this.#touch(session).catch((error: unknown) => this.onError(error, 'state'));
    }
    return session;
  }

  /** Reports that a session is in use, and ends it here if another process has ended it. */
  async #touch(session: HttpSession): Promise<void> {
    const kept = await this.shared?.touch(session.id);
    if (kept === false) await this.#letGo(session, 'The session was ended.');
  }

  async #put(session: HttpSession, record: SessionRecord): Promise<void> {
    try {
      await this.shared?.put(session.id, record);
    } catch (error) {
      this.#leave(session);
      this.#drain(session);
      throw error;
    }
  }

  #revived(shared: SharedSessions, id: string, sender: Sender): Promise<HttpSession | undefined> {
    // By owner too: an attempt of another caller must not decide the result for the owner.
    const key = `${id} ${ownerOf(sender.principal) ?? ''}`;
    let reviving = this.#reviving.get(key);
    if (reviving === undefined) {
      const make = (given: unknown) => this.#restored(id, sender, { given, isPassing: false });
      reviving = shared.restore(id, make).finally(() => this.#reviving.delete(key));
      this.#reviving.set(key, reviving);
    }
    return reviving;
  }

  #restored(id: string, sender: Sender, { given, isPassing }: FoundRecord): HttpSession | undefined {
    const { principal, remoteAddress } = sender;
    const record = this.#checked(given);
    if (record === undefined || record.owner !== ownerOf(principal)) return undefined;
    if (!isPassing && (this.#draining || this.obstacle(sender) !== undefined)) return undefined;
    const holder = this.#quota.of(ownerOf(principal), remoteAddress);
    const earlier = { age: Math.max(0, Date.now() - record.openedAt), isPassing };
    const session = new HttpSession(id, { sender, holder, host: this, earlier });
    if (session.place !== undefined) {
      session.place.count = record.settings?.count ?? 0;
      session.place.outStreamClaims = record.home.count;
    }
    session.serveBy(this.#settings.application, { ...record, isPassing });
    if (isPassing) return session;
    this.#makeRoom(holder);
    this.#quota.add(holder);
    this.#enter(session);
    return session;
  }

  /** Returns the record from the shared state if a session can be made of it in this process. */
  #checked(given: unknown): CheckedRecord | undefined {
    if (given === undefined || given === null) return undefined;
    const record = checkedRecord(given, this.#settings.limits);
    if (typeof record !== 'string') {
      const { revisions } = this.#settings.application;
      const revision = revisions.find((one) => one.id === record.revision.id);
      return revision && { ...record, revision };
    }
    const problem = `The shared state has an invalid record of a session: ${record}. Its session does not exist.`;
    this.onError(new TypeError(problem), 'state');
    return undefined;
  }

  get #isFull(): boolean {
    return this.#table.size + this.#opening >= this.#settings.limits.sessions;
  }

  #hasRoom(holder: SessionHolder<HttpSession> | undefined): boolean {
    return (
      !this.#isFull && (holder === undefined || holder.held < this.#settings.limits.sessionsPerPrincipal)
    );
  }

  #makeRoom(holder: SessionHolder<HttpSession> | undefined): void {
    const unused = this.#hasRoom(holder) ? undefined : holder?.oldestUnused;
    if (unused !== undefined) this.#end(unused, 'The session was not used, and others were opened.');
  }

  #enter(session: HttpSession): void {
    if (this.#table.size === 0) this.heartbeat.add(this);
    this.#table.set(session.id, session);
  }

  #leave(session: HttpSession): void {
    // A session that was passed on may be served here by now.
    if (this.#table.get(session.id) !== session) return;
    this.#table.delete(session.id);
    if (this.#table.size === 0) this.heartbeat.delete(this);
    session.holder?.used(session);
    this.#quota.remove(session.holder);
  }
}

interface FoundRecord {
  readonly given: unknown;
  /** True if this process only passes a message on. */
  readonly isPassing: boolean;
}

function recordOf({ revision, peer, owner }: HttpSession): SessionRecord | undefined {
  if (revision === undefined || peer === undefined) return undefined;
  return { revision: revision.id, peer, ...(owner !== undefined && { owner }), openedAt: Date.now() };
}

/** Bytes of a session id. */
const sessionIdBytes = 24;

/** True for an id as sessions have them: others are not looked for. */
function isSessionId(id: string): boolean {
  return /^[0-9a-f]{48}$/.test(id);
}
