import { type Clock, detach, withinTime } from '@tenon/foundation';
import type { EventPort, SessionSettings, SuspendedCall } from '@tenon/mcp-protocol';
import { addresseeOf, idPrefixOf, isObject, requestIdOf } from '@tenon/mcp-protocol/internal';
import { type Processes, StateError } from '@tenon/mcp-state';
import { untilReached } from '@tenon/mcp-state/internal';
import type { HttpBounds } from '../call/http-limits.js';
import { type FirstEntry, LogEventStore } from '../streams/log-event-store.js';
import { type SharedStreamKey, streamKeyOf } from '../streams/shared-stream-key.js';
import { SharedStreams, type StreamProcesses } from '../streams/shared-streams.js';
import { askProcess } from './ask-process.js';
import { ContinuedCalls } from './continued-calls.js';
import { countedState } from './counted-state.js';
import { type Forwarded, type Sorted, sorted } from './forwarded-messages.js';
import type { HttpSession } from './http-session.js';
import { KeptCalls } from './kept-calls.js';
import {
  type CountedSettings,
  checkedSettings,
  isWhole,
  type OutStreamClaim,
  outStreamClaimOf,
  type SessionRecord,
} from './session-record.js';
import { SessionRecords } from './session-records.js';

/** The dependencies of {@link SharedSessions}. */
export interface SharedSessionsSettings {
  readonly processes: Processes;
  readonly limits: HttpBounds;
  readonly clock: Clock;
  readonly onError: (error: unknown, where: string) => void;
  readonly events: EventPort | undefined;
  /** The sessions of this process. */
  readonly sessions: ReadonlyMap<string, HttpSession>;
  /** Ends a session in this process, because another one has ended it. */
  readonly leave: (session: HttpSession) => void;
  /** True for a request that may be handled again if the process that handled it has ended. */
  readonly isRepeatable: (message: unknown) => boolean;
}

/** Sessions that are read at the same time after messages were lost. */
const mostReads = 32;

/** The sessions of one endpoint that other processes serve as well. */
export class SharedSessions implements StreamProcesses {
  readonly idPrefix: string;
  readonly logs: LogEventStore;
  readonly retry: number;
  readonly onError: SharedSessionsSettings['onError'];
  readonly #settings: SharedSessionsSettings;
  readonly #processes: Processes;
  readonly #records: SessionRecords;
  readonly #streams = new WeakMap<HttpSession, SharedStreams>();
  /** The calls that this process handles. */
  readonly #kept: KeptCalls;
  readonly #calls: ContinuedCalls;
  readonly #arrivals = new Set<Arrival>();
  readonly #endings: (() => void)[];
  #missedIsDue = false;
  #isListening = false;

  constructor(settings: SharedSessionsSettings) {
    const { processes, limits, onError } = settings;
    this.#settings = settings;
    this.#processes = processes;
    const state = countedState(settings);
    this.#records = new SessionRecords(state, limits.sessionIdle);
    this.idPrefix = idPrefixOf(processes.id);
    this.retry = limits.retry;
    this.onError = onError;
    this.logs = new LogEventStore(state, processes.id, {
      unanswered: limits.sessionIdle,
      answered: limits.answeredStream,
      events: limits.streamEvents,
    });
    const calls = {
      processes: { id: processes.id, state },
      logs: this.logs,
      clock: settings.clock,
      kept: limits.sessionIdle,
      onError,
      wake: (key: SharedStreamKey) => {
        this.#wake(key);
        detach(processes.broadcast('stream/event', key), (error) => onError(error, 'state'));
      },
      deliver: (session: string, message: unknown) => {
        detach(Promise.resolve(this.#received({ session, message })), (error) => onError(error, 'state'));
      },
      isRepeatable: settings.isRepeatable,
      events: settings.events,
    };
    this.#kept = new KeptCalls(calls);
    this.#calls = new ContinuedCalls(calls, this.#kept);
    this.#endings = [
      processes.handle('session/message', (body) => this.#received(body)),
      processes.handle('session/settings', (body) => this.#changed(body)),
      processes.handle('session/home', (body) => this.#outStreamMoved(body)),
      processes.handle('session/out', (body) => this.#streamsOf(body)?.wakeOutStream()),
      processes.handle('session/ended', (body) => this.#endedElsewhere(body)),
      processes.handle('stream/follow', (body, from) => this.#handOver(body, from)),
      processes.handle('stream/event', (body) => this.#wake(body)),
      processes.onGap(() => this.#missed()),
    ];
    // A process that cannot subscribe reports it.
    const listens = processes.joined.then(() => (this.#isListening = true));
    detach(listens, () => {});
  }

  get clock(): Clock {
    return this.#settings.clock;
  }

  get id(): string {
    return this.#processes.id;
  }

  /** Stops receiving messages of other processes, when the calls that this process continues have their ends in the state. */
  async close(): Promise<void> {
    const { clock, limits } = this.#settings;
    await withinTime(this.#calls.ended(), { clock, ms: limits.drain, holds: true });
    for (const end of this.#endings.splice(0)) end();
  }

  /** Stores a new session. Rejects with a StateError. */
  async put(id: string, record: SessionRecord): Promise<void> {
    await this.#processes.waitUntilJoined();
    await this.#records.put(id, record);
  }

  /** Returns the session that `make` makes of a record, with settings that its client changed meanwhile. */
  async restore(
    id: string,
    make: (record: unknown) => HttpSession | undefined,
  ): Promise<HttpSession | undefined> {
    const arrival: Arrival = { id, settings: undefined, hasEnded: false };
    this.#arrivals.add(arrival);
    try {
      let record = await this.#records.get(id);
      if (!this.#isListening) {
        // Until then this process does not receive the end of a session.
        await this.#processes.waitUntilJoined();
        record = await this.#records.get(id);
      }
      const session = make(arrival.hasEnded ? undefined : record);
      if (session !== undefined && arrival.settings !== undefined) session.adopt(arrival.settings);
      return session;
    } finally {
      this.#arrivals.delete(arrival);
    }
  }

  /** Extends the time of a session. Returns false if it has ended. */
  async touch(id: string): Promise<boolean> {
    const [kept] = await Promise.all([this.#records.touch(id), this.#kept.renew(id)]);
    return kept;
  }

  /** Ends a session for all processes. */
  async delete(id: string): Promise<void> {
    await this.#records.delete(id);
    await Promise.all([
      this.#processes.broadcast('session/ended', { session: id }),
      this.logs.delete(`session/${id}/out`),
    ]);
  }

  /** Stores settings that a client makes, and notifies the other processes. */
  async saveSettings(
    session: HttpSession,
    change: (settings: SessionSettings) => SessionSettings,
  ): Promise<void> {
    let settings: CountedSettings | undefined;
    const record = await this.#records.change(session.id, (found) => {
      const { count = 0, ...earlier } = found.settings ?? {};
      settings = { ...change(earlier), count: count + 1 };
      return { ...found, settings };
    });
    if (record === undefined || settings === undefined)
      throw new StateError('unavailable', 'State: the session has ended.');
    session.adopt(settings);
    try {
      await this.#processes.broadcast('session/settings', { session: session.id, settings });
    } catch (error) {
      // Other processes read the settings again after an interruption.
      this.onError(error, 'state');
    }
  }

  /** Returns the streams of a session. */
  streamsFor(session: HttpSession): SharedStreams {
    const streams = new SharedStreams(session, this);
    this.#streams.set(session, streams);
    return streams;
  }

  /** Sorts the messages of a POST by their processes; undefined if all are for this one, which has no calls any more if it drains. */
  sorted(session: HttpSession, value: unknown): Sorted | undefined {
    return sorted(value, session.draining ? '' : this.id, session.revision?.rules.batching === true);
  }

  /** Forwards messages to their processes. Returns false if an answer has not been received. */
  async forward(session: HttpSession, { forwarded }: Sorted): Promise<boolean> {
    const received = await Promise.all(forwarded.map((one) => this.#forwardOne(session, one)));
    return received.every((one) => one);
  }

  async claimOutStream(id: string): Promise<number | undefined> {
    let claim: OutStreamClaim | undefined;
    await this.#records.change(id, (record) => {
      const { count, position } = outStreamClaimOf(record.home);
      claim = { count: count + 1, position };
      return { ...record, home: claim };
    });
    const session = this.#settings.sessions.get(id);
    const place = session?.place;
    // A later GET at another process may be known here already.
    if (claim === undefined || place === undefined || claim.count <= place.outStreamClaims) return undefined;
    place.outStreamClaims = claim.count;
    if (!place.hasOutStream) {
      place.hasOutStream = true;
      session?.missed();
    }
    return claim.position;
  }

  async announceOutStream(id: string): Promise<void> {
    const session = this.#settings.sessions.get(id);
    if (session?.place === undefined) return;
    await this.#processes.broadcast('session/home', { session: id, count: session.place.outStreamClaims });
    session.streamOpened();
  }

  firstEntryOf(message: unknown): FirstEntry {
    const messages = Array.isArray(message) ? message : [message];
    const ids = messages.flatMap((one) => requestIdOf(one) ?? []);
    return this.#settings.isRepeatable(message) ? { ids, message } : { ids };
  }

  async savePosition(id: string, position: number): Promise<void> {
    const place = this.#settings.sessions.get(id)?.place;
    if (place?.hasOutStream !== true) return;
    const count = place.outStreamClaims;
    // Another process knows better from its claim on.
    await this.#records.change(id, (record) =>
      outStreamClaimOf(record.home).count === count ? { ...record, home: { count, position } } : undefined,
    );
  }

  wakeOutStream(session: string): void {
    detach(this.#processes.broadcast('session/out', { session }), (error) => this.onError(error, 'state'));
  }

  wakeReader(process: string, key: SharedStreamKey): void {
    this.#processes.send(process, 'stream/event', key);
  }

  async follow(key: SharedStreamKey): Promise<boolean | undefined> {
    // No boolean: the process has left the session to others, as if it had ended.
    const isLive = await askProcess(this.#settings, key.process, { kind: 'stream/follow', body: key });
    return typeof isLive === 'boolean' ? isLive : undefined;
  }

  async succeed(key: SharedStreamKey): Promise<void> {
    const session = this.#settings.sessions.get(key.session);
    if (session?.draining === false) await this.#calls.succeed(session, key);
  }

  keepCall(key: SharedStreamKey, message: unknown, call: SuspendedCall | undefined): Promise<boolean> {
    return this.#kept.keep(key, message, call);
  }

  async #forwardOne(session: HttpSession, { process, message, answers }: Forwarded): Promise<boolean> {
    const body = { session: session.id, message };
    if (process === undefined) {
      await this.#processes.broadcast('session/message', body);
      return true;
    }
    if (!answers) {
      this.#processes.send(process, 'session/message', body);
      return true;
    }
    const isReceived =
      process !== this.id &&
      (await askProcess(this.#settings, process, { kind: 'session/message', body })) === true;
    return isReceived || this.#calls.answer(session, message);
  }

  /** Resolves when the answers in a message are kept, as {@link KeptCalls.answersKept} does. */
  answersKept(session: HttpSession, value: unknown): Promise<unknown> | undefined {
    return this.#kept.answersKept(session, value);
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

  #received(body: unknown): true | undefined | Promise<true> {
    const session = this.#sessionOf(body);
    if (session === undefined) return undefined;
    const { message } = body as { readonly message: unknown };
    const addressee = addresseeOf(message);
    // Other programs may write to the bus: no request is handled. A call that waits for an answer has been left to others by a drain.
    if (addressee === undefined || (session.draining && addressee.answers === true)) return undefined;
    const kept = this.answersKept(session, message);
    const answer = session.receiver.receive(message, session);
    if (answer instanceof Promise) detach(answer, (error) => this.onError(error, 'http'));
    return kept === undefined ? true : kept.then(() => true);
  }

  #changed(body: unknown): void {
    const settings = isObject(body) ? checkedSettings(body.settings) : undefined;
    if (settings === undefined) return;
    const session = this.#sessionOf(body);
    if (session !== undefined) session.adopt(settings);
    for (const arrival of this.#arrivals)
      if (arrival.id === (body as { session?: unknown }).session) arrival.settings = settings;
  }

  #outStreamMoved(body: unknown): void {
    const session = this.#sessionOf(body);
    const { count } = body as { readonly count?: unknown };
    if (session !== undefined && isWhole(count)) this.#yieldOutStream(session, count);
  }

  /** Leaves the GET of a session to another process, if the number of its claim is greater. */
  #yieldOutStream(session: HttpSession, count: number): void {
    const { place } = session;
    if (place === undefined || count <= place.outStreamClaims) return;
    place.outStreamClaims = count;
    place.hasOutStream = false;
    this.#streams.get(session)?.closeOutStream();
  }

  #endedElsewhere(body: unknown): void {
    for (const arrival of this.#arrivals)
      if (isObject(body) && arrival.id === body.session) arrival.hasEnded = true;
    const session = this.#sessionOf(body);
    if (session !== undefined) this.#settings.leave(session);
  }

  #handOver(body: unknown, from: string): boolean | undefined {
    const key = streamKeyOf(body);
    if (key?.process !== this.id) return undefined;
    const streams = this.#streamsOf(body);
    return streams?.handOver(key.stream, from);
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
      const patience = { clock: this.#settings.clock, report: () => {} };
      // If the state stays away, the end of the interruption is the next gap.
      const readRest = async () => {
        for (const session of rest) await untilReached(patience, () => this.#reread(session));
      };
      detach(Promise.all(Array.from({ length: mostReads }, readRest)), (error) =>
        this.onError(error, 'state'),
      );
    });
  }

  async #reread(session: HttpSession): Promise<void> {
    const record = (await this.#records.get(session.id)) as SessionRecord | undefined;
    if (record === undefined) {
      this.#settings.leave(session);
      return;
    }
    const settings = checkedSettings(record.settings);
    if (settings !== undefined) session.adopt(settings);
    this.#yieldOutStream(session, outStreamClaimOf(record.home).count);
  }
}

/** A session while its record is being read. */
interface Arrival {
  readonly id: string;
  /** The last settings that another process has announced meanwhile. */
  settings: CountedSettings | undefined;
  hasEnded: boolean;
}
