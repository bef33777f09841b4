import {
  type Clock,
  type EventStore,
  type Principal,
  SessionError,
  type SessionRecord,
  type SessionStore,
} from '@tenon/mcp-protocol';
import { detach } from '@tenon/mcp-protocol/internal';
import { type Sender, senderOf } from '../admission/sender.js';
import type { Application } from '../endpoint/application.js';
import type { HttpCall } from '../endpoint/http-call.js';
import type { HttpLimits } from '../endpoint/http-limits.js';
import { Heartbeat, type HeartbeatListener } from '../streams/heartbeat.js';
import { farStreams, HttpSession, ownerOf, type SessionHost } from './http-session.js';
import { type SessionHolder, SessionQuota } from './session-quota.js';
import { type CheckedRecord, checkedRecord } from './session-record.js';

export interface SessionsSettings {
  readonly application: Application;
  readonly limits: HttpLimits;
  readonly clock: Clock;
  readonly events: EventStore;
  readonly store: SessionStore | undefined;
  readonly jsonOnly: boolean;
  readonly onError: (error: unknown, where: string) => void;
}

/** All sessions of one endpoint, by id and by owner. */
export class Sessions implements SessionHost, HeartbeatListener {
  readonly retry: number;
  readonly store: EventStore;
  readonly jsonOnly: boolean;
  readonly onError: SessionsSettings['onError'];
  readonly #settings: SessionsSettings;
  readonly #table = new Map<string, HttpSession>();
  readonly #quota = new SessionQuota<HttpSession>();
  readonly #reviving = new Map<string, Promise<HttpSession | undefined>>();
  /** Ids that a store may still hold although they have ended. */
  readonly #removing = new Set<string>();
  readonly heartbeat: Heartbeat;
  #opening = 0;
  #leaving = false;

  constructor(settings: SessionsSettings) {
    const { limits, clock, events, jsonOnly, onError } = settings;
    this.#settings = settings;
    this.retry = limits.retry;
    this.store = events;
    this.jsonOnly = jsonOnly;
    this.onError = onError;
    this.heartbeat = new Heartbeat(clock, limits.keepAlive);
  }

  get size(): number {
    return this.#table.size;
  }

  /** True once no session is opened or taken up any more. */
  get leaving(): boolean {
    return this.#leaving;
  }

  // An object holds a small whole number itself, and any other in a box of its own.
  now(): number {
    return Math.floor(this.#settings.clock.now());
  }

  /** Why no session can be opened for somebody; undefined when one can. */
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
   * Makes a session that nobody finds yet: call {@link keep} once its handshake has succeeded, or {@link drop}. Where its
   * address has too many, the oldest of them that was never used gives way.
   */
  open(sender: Sender): HttpSession {
    const holder = this.#quota.of(ownerOf(sender.principal), sender.remoteAddress);
    const session = new HttpSession(newSessionId(), { sender, holder, host: this });
    session.serveBy(this.#settings.application);
    this.#makeRoom(holder);
    this.#opening++;
    this.#quota.add(holder);
    return session;
  }

  /** Makes a session one that is found; rejects, and throws it away, when a store does not take it. */
  keep(session: HttpSession): undefined | Promise<void> {
    this.#opening--;
    this.#enter(session);
    session.holder?.opened(session);
    const { store } = this.#settings;
    const record = store && recordOf(session);
    return store === undefined || record === undefined ? undefined : this.#put(session, record);
  }

  /** Throws a session away whose handshake has failed. */
  drop(session: HttpSession): void {
    this.#opening--;
    this.#quota.remove(session.holder);
    this.#drain(session);
  }

  /** The session of that id that belongs to somebody; undefined for any other. */
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
    if (this.#settings.store === undefined || id.length > 128 || this.#removing.has(id)) return undefined;
    return this.#revived(id, senderOf(call, principal)).then((revived) =>
      revived?.owner === owner ? revived : undefined,
    );
  }

  /**
   * Ends a session for good. What runs in it is cancelled: nobody can receive an answer of it any more.
   * @param why - one sentence for those who wait in it.
   */
  remove(session: HttpSession, why: string): Promise<void> {
    this.#removing.add(session.id);
    this.#leave(session);
    session.receiver.closed(new SessionError('closed', why));
    return this.#erase(session).finally(() => this.#removing.delete(session.id));
  }

  /** Ends the service of every session here; what a store keeps of them stays. */
  async drain(): Promise<void> {
    this.#leaving = true;
    await Promise.all([...this.#table.values()].map((session) => session.drain()));
  }

  /** A session is over, whoever ended it. */
  ended(session: HttpSession): void | Promise<void> {
    this.#leave(session);
    const forGood = this.#settings.store === undefined || this.#removing.has(session.id);
    if (forGood) return this.store.forget(session.id);
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
    // Idle here, it may be in use at another process: a store forgets by itself what nobody uses.
    if (everywhere || this.#settings.store === undefined) this.#end(session, why);
    else this.#letGo(session, why).catch((error: unknown) => this.onError(error, 'session store'));
  }

  #end(session: HttpSession, why: string): void {
    this.remove(session, why).catch((error: unknown) => this.onError(error, 'session store'));
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
      await this.#settings.store?.delete(session.id);
    } finally {
      await this.#close(session);
    }
  }

  /** Ends a session here. That its events cannot be forgotten is reported, and changes nothing. */
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
    const { store, limits } = this.#settings;
    // A store need not hear of each request: often enough not to forget the session, and to learn soon of its end.
    if (store !== undefined && now - session.touchedAt >= Math.min(limits.touch, limits.sessionIdle / 10)) {
      session.touchedAt = now;
      this.#touch(session).catch((error: unknown) => this.onError(error, 'session store'));
    }
    return session;
  }

  /** Another process may have ended the session: then it is over here too. */
  async #touch(session: HttpSession): Promise<void> {
    const kept = await this.#settings.store?.touch(session.id, this.#settings.limits.sessionIdle);
    if (kept === false) await this.#letGo(session, 'The session was ended.');
  }

  async #put(session: HttpSession, record: SessionRecord): Promise<void> {
    try {
      await this.#settings.store?.put(session.id, record, this.#settings.limits.sessionIdle);
    } catch (error) {
      this.#leave(session);
      this.#drain(session);
      throw error;
    }
  }

  #revived(id: string, sender: Sender): Promise<HttpSession | undefined> {
    // By owner too: somebody else's try must not decide for the owner.
    const key = `${id} ${ownerOf(sender.principal) ?? ''}`;
    let reviving = this.#reviving.get(key);
    if (reviving === undefined) {
      reviving = this.#revive(id, sender).finally(() => this.#reviving.delete(key));
      this.#reviving.set(key, reviving);
    }
    return reviving;
  }

  async #revive(id: string, sender: Sender): Promise<HttpSession | undefined> {
    const { principal, remoteAddress } = sender;
    const record = this.#checked(await this.#settings.store?.get(id));
    if (record === undefined || record.owner !== ownerOf(principal)) return undefined;
    if (this.#leaving || this.obstacle(sender) !== undefined) return undefined;
    const holder = this.#quota.of(ownerOf(principal), remoteAddress);
    const earlier = { age: Math.max(0, Date.now() - record.openedAt), firstStream: farStream() };
    const session = new HttpSession(id, { sender, holder, host: this, earlier });
    session.serveBy(this.#settings.application, record);
    this.#makeRoom(holder);
    this.#quota.add(holder);
    this.#enter(session);
    return session;
  }

  /** What a store gave, if a session can be made of it here. */
  #checked(given: unknown): CheckedRecord | undefined {
    if (given === undefined || given === null) return undefined;
    const record = checkedRecord(given, this.#settings.limits);
    if (typeof record !== 'string') {
      const { revisions } = this.#settings.application;
      const revision = revisions.find((one) => one.id === record.revision.id);
      return revision && { ...record, revision };
    }
    const told = `The session store gave a record that cannot be used: ${record}. Its session does not exist.`;
    this.onError(new TypeError(told), 'session store');
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
    if (!this.#table.delete(session.id)) return;
    if (this.#table.size === 0) this.heartbeat.delete(this);
    session.holder?.used(session);
    this.#quota.remove(session.holder);
  }
}

function recordOf({ revision, peer, owner }: HttpSession): SessionRecord | undefined {
  if (revision === undefined || peer === undefined) return undefined;
  return { revision: revision.id, peer, ...(owner !== undefined && { owner }), openedAt: Date.now() };
}

/** An even number, 47 bits of it random: several processes may serve a session, and no two streams have one number. */
function farStream(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return farStreams + 2 * ((high % 2 ** 15) * 2 ** 32 + low);
}

/** 192 random bits: nobody guesses it. */
function newSessionId(): string {
  let id = '';
  for (const byte of crypto.getRandomValues(new Uint8Array(24))) id += byte.toString(16).padStart(2, '0');
  return id;
}
