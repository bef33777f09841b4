import type { Clock, SessionSettings, SuspendedCall } from '@tenon/mcp-protocol';
import { addresseeOf, detach, idPrefixOf, isObject, requestIdOf } from '@tenon/mcp-protocol/internal';
import { type ClusterNode, StateError } from '@tenon/mcp-state';
import { isNodeId, NodeGoneError } from '@tenon/mcp-state/internal';
import type { HttpLimits } from '../endpoint/http-limits.js';
import { LogEventStore, type Opening } from '../streams/log-event-store.js';
import { type SharedStreamKey, SharedStreams, type StreamCluster } from '../streams/shared-streams.js';
import { ContinuedCalls } from './continued-calls.js';
import { type Forwarded, type Sorted, sorted } from './forwarded-messages.js';
import type { HttpSession } from './http-session.js';
import { type CountedSettings, checkedSettings, type SessionRecord } from './session-record.js';

/** The dependencies of {@link SharedSessions}. */
export interface SharedSessionsSettings {
  readonly cluster: ClusterNode;
  readonly limits: HttpLimits;
  readonly clock: Clock;
  readonly onError: (error: unknown, where: string) => void;
  /** The sessions of this process. */
  readonly sessions: ReadonlyMap<string, HttpSession>;
  /** Ends a session in this process, because another one has ended it. */
  readonly leave: (session: HttpSession) => void;
  /** True for a request that may be handled again if the process that handled it has ended. */
  readonly isRepeatable: (message: unknown) => boolean;
}

/** Sessions that are read at the same time after messages were lost. */
const mostReads = 32;
/** Attempts to change settings that another process changes at the same time. */
const attempts = 10;

/** The sessions of one endpoint that other processes serve as well. */
export class SharedSessions implements StreamCluster {
  readonly idPrefix: string;
  readonly logs: LogEventStore;
  readonly retry: number;
  readonly onError: SharedSessionsSettings['onError'];
  readonly #settings: SharedSessionsSettings;
  readonly #cluster: ClusterNode;
  readonly #streams = new WeakMap<HttpSession, SharedStreams>();
  readonly #calls: ContinuedCalls;
  readonly #arrivals = new Set<Arrival>();
  readonly #endings: (() => void)[];
  #missedIsDue = false;

  constructor(settings: SharedSessionsSettings) {
    const { cluster, limits, onError } = settings;
    this.#settings = settings;
    this.#cluster = cluster;
    this.idPrefix = idPrefixOf(cluster.id);
    this.retry = limits.retry;
    this.onError = onError;
    this.logs = new LogEventStore(cluster.state, cluster.id, {
      unanswered: limits.sessionIdle,
      answered: limits.answeredStream,
      events: limits.streamEvents,
    });
    this.#calls = new ContinuedCalls({
      cluster,
      logs: this.logs,
      clock: settings.clock,
      kept: limits.sessionIdle,
      onError,
      wake: (key) => this.#wakeEverywhere(key),
      deliver: (session, message) => {
        this.#received({ session, message });
      },
      isRepeatable: settings.isRepeatable,
    });
    this.#endings = [
      cluster.handle('session/message', (body) => this.#received(body)),
      cluster.handle('session/settings', (body) => this.#changed(body)),
      cluster.handle('session/home', (body) => this.#movedHome(body)),
      cluster.handle('session/out', (body) => this.#streamsOf(body)?.wakeOut()),
      cluster.handle('session/ended', (body) => this.#endedElsewhere(body)),
      cluster.handle('stream/follow', (body, from) => this.#handOver(body, from)),
      cluster.handle('stream/event', (body) => this.#wake(body)),
      cluster.onGap(() => this.#missed()),
    ];
  }

  get id(): string {
    return this.#cluster.id;
  }

  /** Stops receiving messages of other processes. */
  close(): void {
    for (const end of this.#endings.splice(0)) end();
  }

  /** Stores a new session. Rejects with a StateError. */
  async put(id: string, record: SessionRecord): Promise<void> {
    await this.#cluster.ready;
    await this.#kv.put(keyOf(id), JSON.stringify(record), { ttl: this.#settings.limits.sessionIdle });
  }

  /** Returns the record of a session, unchecked; undefined for one that is unknown or has expired. */
  async get(id: string): Promise<unknown> {
    const found = await this.#kv.get(keyOf(id));
    return found && JSON.parse(found.value);
  }

  /** Returns the session that `make` makes of a record, with settings that its client changed meanwhile. */
  async restore(
    id: string,
    make: (record: unknown) => HttpSession | undefined,
  ): Promise<HttpSession | undefined> {
    const arrival: Arrival = { id, settings: undefined };
    this.#arrivals.add(arrival);
    try {
      const session = make(await this.get(id));
      if (session !== undefined && arrival.settings !== undefined) session.adopt(arrival.settings);
      return session;
    } finally {
      this.#arrivals.delete(arrival);
    }
  }

  /** Extends the time of a session. Returns false if it has ended. */
  async touch(id: string): Promise<boolean> {
    const [kept] = await Promise.all([
      this.#kv.touch(keyOf(id), this.#settings.limits.sessionIdle),
      this.#calls.renew(id),
    ]);
    return kept;
  }

  /** Ends a session for all processes. */
  async delete(id: string): Promise<void> {
    await this.#kv.delete(keyOf(id));
    const { state } = this.#cluster;
    await Promise.all([
      this.#cluster.broadcast('session/ended', { session: id }),
      state.log.delete(`session/${id}/out`),
      state.kv.delete(`session/${id}/position`),
    ]);
  }

  /** Stores settings that a client makes, and notifies the other processes. */
  async saveSettings(
    session: HttpSession,
    change: (settings: SessionSettings) => SessionSettings,
  ): Promise<void> {
    const key = keyOf(session.id);
    for (let attempt = 0; attempt < attempts; attempt++) {
      const found = await this.#kv.get(key);
      if (found === undefined) throw new StateError('unavailable', 'State: the session has ended.');
      const record = JSON.parse(found.value) as SessionRecord;
      const { count = 0, ...earlier } = record.settings ?? {};
      const settings: CountedSettings = { ...change(earlier), count: count + 1 };
      const options = { expected: found.version, ttl: this.#settings.limits.sessionIdle };
      if ((await this.#kv.compareAndSet(key, JSON.stringify({ ...record, settings }), options)) === undefined)
        continue;
      session.stored(settings);
      await this.#cluster.broadcast('session/settings', { session: session.id, settings });
      return;
    }
    throw new StateError(
      'unavailable',
      'State: other processes change the settings of the session all the time.',
    );
  }

  /** Returns the streams of a session. */
  streamsFor(session: HttpSession): SharedStreams {
    const streams = new SharedStreams(session, this);
    this.#streams.set(session, streams);
    return streams;
  }

  /** Sorts the messages of a POST by their processes; undefined if all are for this one. */
  sorted(session: HttpSession, value: unknown): Sorted | undefined {
    return sorted(value, this.id, session.revision?.rules.batching === true);
  }

  /** Forwards messages to their processes. Returns false if an answer has not been received. */
  async forward(session: HttpSession, { forwarded }: Sorted): Promise<boolean> {
    const received = await Promise.all(forwarded.map((one) => this.#forwardOne(session, one)));
    return received.every((one) => one);
  }

  async becomeHome(id: string): Promise<void> {
    const session = this.#settings.sessions.get(id);
    if (session?.place === undefined) return;
    const wasHome = session.place.isHome;
    session.place.isHome = true;
    await this.#cluster.broadcast('session/home', { session: id });
    if (wasHome) session.streamOpened();
    else session.missed();
  }

  openingOf(message: unknown): Opening {
    const messages = Array.isArray(message) ? message : [message];
    const ids = messages.flatMap((one) => requestIdOf(one) ?? []);
    return this.#settings.isRepeatable(message) ? { ids, message } : { ids };
  }

  async readPosition(session: string): Promise<number> {
    const found = await this.#kv.get(`session/${session}/position`);
    const position = Number(found?.value ?? 0);
    return Number.isSafeInteger(position) && position > 0 ? position : 0;
  }

  async savePosition(session: string, position: number): Promise<void> {
    await this.#kv.put(`session/${session}/position`, String(position), {
      ttl: this.#settings.limits.sessionIdle,
    });
  }

  wakeOut(session: string): void {
    detach(this.#cluster.broadcast('session/out', { session }), (error) => this.onError(error, 'state'));
  }

  wakeReader(process: string, key: SharedStreamKey): void {
    this.#cluster.send(process, 'stream/event', key);
  }

  async follow(key: SharedStreamKey): Promise<boolean | undefined> {
    try {
      // No boolean: the process has left the session to others, as if it had ended.
      const isLive = await this.#cluster.request(key.process, 'stream/follow', key);
      return typeof isLive === 'boolean' ? isLive : undefined;
    } catch (error) {
      if (error instanceof NodeGoneError) return undefined;
      throw error;
    }
  }

  now(): number {
    return this.#settings.clock.now();
  }

  schedule(task: () => void, ms: number): () => void {
    return this.#settings.clock.schedule(task, ms);
  }

  async succeed(key: SharedStreamKey): Promise<void> {
    const session = this.#settings.sessions.get(key.session);
    if (session !== undefined) await this.#calls.succeed(session, key);
  }

  keepCall(key: SharedStreamKey, message: unknown, call: SuspendedCall | undefined): Promise<boolean> {
    return this.#calls.keep(key, message, call);
  }

  get #kv() {
    return this.#cluster.state.kv;
  }

  async #forwardOne(session: HttpSession, { process, message, answers }: Forwarded): Promise<boolean> {
    const body = { session: session.id, message };
    if (process === undefined) {
      await this.#cluster.broadcast('session/message', body);
      return true;
    }
    if (!answers) {
      this.#cluster.send(process, 'session/message', body);
      return true;
    }
    try {
      if ((await this.#cluster.request(process, 'session/message', body)) === true) return true;
    } catch (error) {
      if (!(error instanceof NodeGoneError)) throw error;
    }
    return this.#calls.answer(session, message);
  }

  #sessionOf(body: unknown): HttpSession | undefined {
    return isObject(body) && typeof body.session === 'string'
      ? this.#settings.sessions.get(body.session)
      : undefined;
  }

  #streamsOf(body: unknown): SharedStreams | undefined {
    const session = this.#sessionOf(body);
    return session && this.#streams.get(session);
  }

  #received(body: unknown): true | undefined {
    const session = this.#sessionOf(body);
    if (session === undefined) return undefined;
    const { message } = body as { readonly message: unknown };
    const addressee = addresseeOf(message);
    // Other programs may write to the bus: no request is handled. A call that waits for an answer has been left to others by a drain.
    if (addressee === undefined || (session.draining && addressee.answers === true)) return undefined;
    const answer = session.receiver.receive(message, session);
    if (answer instanceof Promise) detach(answer, (error) => this.onError(error, 'http'));
    return true;
  }

  #changed(body: unknown): void {
    const settings = isObject(body) ? checkedSettings(body.settings) : undefined;
    if (settings === undefined) return;
    const session = this.#sessionOf(body);
    if (session !== undefined) session.adopt(settings);
    for (const arrival of this.#arrivals)
      if (arrival.id === (body as { session?: unknown }).session) arrival.settings = settings;
  }

  #movedHome(body: unknown): void {
    const place = this.#sessionOf(body)?.place;
    if (place === undefined) return;
    place.isHome = false;
    this.#streamsOf(body)?.leaveHome();
  }

  #endedElsewhere(body: unknown): void {
    const session = this.#sessionOf(body);
    if (session !== undefined) this.#settings.leave(session);
  }

  #handOver(body: unknown, from: string): boolean | undefined {
    const key = streamKeyOf(body);
    if (key?.process !== this.id) return undefined;
    const streams = this.#streamsOf(body);
    return streams?.handOver(key.stream, from);
  }

  #wakeEverywhere(key: SharedStreamKey): void {
    this.#wake(key);
    detach(this.#cluster.broadcast('stream/event', key), (error) => this.onError(error, 'state'));
  }

  #wake(body: unknown): void {
    const key = streamKeyOf(body);
    if (key !== undefined) this.#streamsOf(body)?.wake(key);
  }

  /** Reads everything again, once per turn: messages of other processes may have been lost, and each topic reports a gap. */
  #missed(): void {
    if (this.#missedIsDue) return;
    this.#missedIsDue = true;
    queueMicrotask(() => {
      this.#missedIsDue = false;
      const { sessions } = this.#settings;
      for (const session of sessions.values()) this.#streams.get(session)?.wakeAll();
      const rest = sessions.values();
      // An error of the state ends it: the end of the interruption is the next gap.
      const readRest = async () => {
        for (const session of rest) await this.#reread(session);
      };
      detach(Promise.all(Array.from({ length: mostReads }, readRest)), (error) =>
        this.onError(error, 'state'),
      );
    });
  }

  async #reread(session: HttpSession): Promise<void> {
    const record = await this.get(session.id);
    const settings = checkedSettings((record as SessionRecord | undefined)?.settings);
    if (record === undefined) this.#settings.leave(session);
    else if (settings !== undefined) session.adopt(settings);
  }
}

/** A session while its record is being read. */
interface Arrival {
  readonly id: string;
  /** The last settings that another process has announced meanwhile. */
  settings: CountedSettings | undefined;
}

function keyOf(id: string): string {
  return `session/${id}/record`;
}

/** Returns a key that another process sent; undefined if it has another shape. */
function streamKeyOf(body: unknown): SharedStreamKey | undefined {
  if (!isObject(body)) return undefined;
  const { session, process, stream } = body;
  return typeof session === 'string' && isNodeId(process) && Number.isSafeInteger(stream)
    ? (body as unknown as SharedStreamKey)
    : undefined;
}
