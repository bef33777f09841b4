import type { Clock } from '@tenon/foundation';
import type { EventPort } from '@tenon/mcp-protocol';
import { Heartbeat, type HeartbeatListener } from '../call/heartbeat.js';
import { type HttpBounds, type HttpLimits, httpBoundsOf } from '../call/http-limits.js';
import { ByteBudget, type ByteHolder } from './byte-budget.js';
import { LoopTurns } from './loop-turns.js';

/** Limits of the data that waits on connections, for all mounts together. */
export type TrafficLimits = Pick<HttpLimits, 'unreadTotal' | 'bodies'>;

type TrafficBounds = TrafficLimits &
  Pick<HttpBounds, 'unreadPerAddress' | 'readRate' | 'pipelined' | 'bodiesPerAddress'>;

/** Settings of {@link Traffic}. */
export interface TrafficSettings {
  readonly limits: TrafficBounds;
  readonly clock: Clock;
  /** Milliseconds that bytes may stay unread, in addition to the time that `readRate` grants. Default 60,000. */
  readonly writeTimeout?: number | undefined;
  /** Receives the refusals of requests. */
  readonly events?: EventPort | undefined;
}

/**
 * Returns the traffic settings of one endpoint.
 * @throws TypeError or RangeError if a limit is invalid.
 */
export function trafficSettings(
  { clock, events }: Pick<TrafficSettings, 'clock' | 'events'>,
  options: {
    readonly limits?: Partial<HttpLimits> | undefined;
    readonly clock?: Clock | undefined;
    readonly writeTimeout?: number | undefined;
  },
): TrafficSettings {
  const { limits, writeTimeout } = options;
  if (writeTimeout !== undefined && !(writeTimeout > 0))
    throw new RangeError('writeTimeout must be a positive number of milliseconds.');
  return { limits: httpBoundsOf(limits), clock: options.clock ?? clock, writeTimeout, events };
}

/** An answer that may have unread bytes. */
export interface UnreadAnswer {
  /** Address of the client; undefined if it is not known. */
  readonly remoteAddress?: string | undefined;
  /** Bytes that are unread now. */
  waiting(): number;
}

/** A connection that can be ended. */
export interface Closable {
  destroy(): unknown;
  once(event: 'close', task: () => void): unknown;
}

/** Bytes of an answer beside its text: its head, and the framing of its chunks. */
const overhead = 4_096;

/** All bytes that wait on the connections of one port, or of one handler: unread answers, and incomplete request bodies. */
export class Traffic {
  /** Bytes of incomplete request bodies. */
  readonly bodies: ByteBudget;
  /** Bytes of unread answers. */
  readonly unread: ByteBudget;
  /** Shares the event loop between requests with long bodies or answers. */
  readonly turns: LoopTurns;
  /** Requests of one connection that may wait behind another. */
  readonly pipelined: number;
  readonly events: EventPort | undefined;
  readonly #settings: TrafficSettings & { readonly writeTimeout: number };
  readonly #connections = new WeakMap<object, ConnectionTraffic>();
  readonly #heartbeat: Heartbeat;

  constructor({ limits, clock, writeTimeout = 60_000, events }: TrafficSettings) {
    this.bodies = new ByteBudget({ perAddress: limits.bodiesPerAddress, total: limits.bodies });
    this.unread = new ByteBudget({ perAddress: limits.unreadPerAddress, total: limits.unreadTotal });
    this.turns = new LoopTurns(clock);
    this.pipelined = limits.pipelined;
    this.events = events;
    this.#settings = { limits, clock, writeTimeout };
    this.#heartbeat = new Heartbeat(clock, writeTimeout);
  }

  /** Returns the counter of one connection, and makes it on first use. */
  connection(socket: Closable): ConnectionTraffic {
    let found = this.#connections.get(socket);
    if (found === undefined) {
      const made = new ConnectionTraffic(this, () => socket.destroy());
      socket.once('close', () => made.end());
      this.#connections.set(socket, made);
      found = made;
    }
    return found;
  }

  /** Returns the milliseconds in which a client must have read this many bytes. */
  patience(bytes: number): number {
    const { limits, writeTimeout } = this.#settings;
    return writeTimeout + (bytes / limits.readRate) * 1_000;
  }

  now(): number {
    return this.#settings.clock.now();
  }

  /** Starts or stops the regular checks of a connection. */
  watch(connection: ConnectionTraffic, isWaiting: boolean): void {
    if (isWaiting) this.#heartbeat.add(connection);
    else this.#heartbeat.delete(connection);
  }
}

/** Counts the waiting requests and the unread bytes of one connection. */
export class ConnectionTraffic implements HeartbeatListener {
  /** Requests that wait behind another on this connection. */
  queued = 0;
  readonly #traffic: Traffic;
  readonly #holder: ByteHolder;
  /** Unread bytes by answer. */
  readonly #answers = new Map<UnreadAnswer, number>();
  /** Bytes that were read since the connection began. */
  #read = 0;
  /** Bytes of the largest message beyond the limit of a connection, since nothing waited. */
  #oversized = 0;
  /** Number of bytes that must have been read by the deadline. */
  #target = 0;
  #due = 0;

  constructor(traffic: Traffic, cut: () => void) {
    this.#traffic = traffic;
    this.#holder = traffic.unread.holder(undefined, () => {
      this.end();
      cut();
    });
  }

  /** Unread bytes. */
  get waiting(): number {
    return this.#holder.held;
  }

  /** True if `more` bytes would exceed the limit, and some bytes are unread already. */
  isFull(more: number, most: number): boolean {
    return this.waiting > 0 && this.waiting + more > most;
  }

  /**
   * Updates the unread bytes of an answer, after `written` bytes more. May end this connection or another one.
   * @param most - bytes that may be unread on the connection, beside one message that is larger by itself.
   */
  count(answer: UnreadAnswer, written: number, most: number): void {
    const before = this.#answers.get(answer) ?? 0;
    const waits = answer.waiting();
    this.#read += Math.max(0, before + written - waits);
    if (waits > 0) this.#answers.set(answer, waits);
    else this.#answers.delete(answer);
    const sum = this.waiting + waits - before;
    if (written + overhead > most) this.#oversized = Math.max(this.#oversized, written + overhead);
    if (sum - this.#oversized > most) this.cut();
    else this.#hold(sum, answer.remoteAddress);
  }

  /** Removes an answer that has no unread bytes any more. */
  forget(answer: UnreadAnswer): void {
    const waited = this.#answers.get(answer);
    if (waited === undefined) return;
    this.#answers.delete(answer);
    this.#read += waited;
    this.#hold(this.waiting - waited, undefined);
  }

  /** Cuts the connection off. */
  cut(): void {
    this.#holder.cut();
  }

  /** Clears all counts, because the connection is closed. */
  end(): void {
    this.#answers.clear();
    this.#hold(0, undefined);
  }

  beat(now: number): void {
    for (const answer of [...this.#answers.keys()]) this.count(answer, 0, Number.POSITIVE_INFINITY);
    if (this.waiting === 0 || now < this.#due) return;
    if (this.#read >= this.#target) this.#mark(this.waiting);
    else this.cut();
  }

  #hold(bytes: number, address: string | undefined): void {
    const before = this.waiting;
    if (bytes === 0) this.#oversized = 0;
    if (before === 0 && bytes > 0) {
      this.#holder.move(address);
      this.#mark(bytes);
      this.#traffic.watch(this, true);
    } else if (before > 0 && bytes === 0) this.#traffic.watch(this, false);
    this.#holder.hold(bytes);
  }

  /** Sets the deadline for reading the bytes that are unread now. */
  #mark(bytes: number): void {
    this.#target = this.#read + bytes;
    this.#due = this.#traffic.now() + this.#traffic.patience(bytes);
  }
}
