import { type Clock, constantsOf, follow } from '@tenon/foundation';
import { SessionError } from '@tenon/mcp-protocol';
import type { Endpoint } from './endpoint.js';

/** Options of pings to silent peers. */
export interface KeepAliveOptions {
  /** Milliseconds of silence before a ping, and until a ping without an answer counts as failed. */
  readonly interval: number;
}

/** Failed pings in a row after which a peer counts as gone. */
const bounds = { failures: 3 };

interface Watch {
  /** The message count at the last check; a peer that has sent messages since needs no ping. */
  heard: number;
  missed: number;
  pinging: boolean;
}

/**
 * Pings silent peers, in revisions with pings: one timer for all of them, and none while no peer
 * is watched. Any answer counts, an error too.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/ping
 */
export class KeepAlive {
  readonly #interval: number;
  readonly #failures: number;
  readonly #clock: Clock;
  readonly #onDead: (endpoint: Endpoint, error: SessionError) => void;
  readonly #watched = new Map<Endpoint, Watch>();
  #disarm: (() => void) | undefined;

  /**
   * @param onDead - called once for a peer that counts as gone; it closes the endpoint. Must not throw.
   * @throws RangeError if the interval is not positive.
   */
  constructor(
    options: KeepAliveOptions,
    clock: Clock,
    onDead: (endpoint: Endpoint, error: SessionError) => void,
  ) {
    const { interval } = options;
    if (!(interval > 0))
      throw new RangeError('The interval of pings must be a positive number of milliseconds.');
    this.#interval = interval;
    this.#failures = constantsOf(bounds, options).failures;
    this.#clock = clock;
    this.#onDead = onDead;
  }

  /**
   * Watches a peer until its conversation has ended.
   * @returns a function that stops it.
   */
  watch(endpoint: Endpoint): () => void {
    this.#watched.set(endpoint, { heard: -1, missed: 0, pinging: false });
    this.#disarm ??= this.#clock.schedule(() => this.#look(), this.#interval);
    return () => this.#drop(endpoint);
  }

  #look(): void {
    for (const [endpoint, watch] of this.#watched) {
      if (endpoint.state !== 'open') this.#watched.delete(endpoint);
      else if (endpoint.heard !== watch.heard) noteAlive(endpoint, watch);
      else if (!watch.pinging && hasPing(endpoint)) this.#ping(endpoint, watch);
    }
    this.#disarm =
      this.#watched.size === 0 ? undefined : this.#clock.schedule(() => this.#look(), this.#interval);
  }

  #ping(endpoint: Endpoint, watch: Watch): void {
    watch.pinging = true;
    const answered = () => {
      watch.pinging = false;
      noteAlive(endpoint, watch);
    };
    const { heard } = endpoint;
    const options = { timeout: this.#interval, timeoutOption: 'keepAlive.interval' };
    follow(endpoint.request('ping', {}, options), answered, (error) => {
      const silent = error instanceof SessionError && error.reason === 'timeout';
      if (silent && endpoint.heard === heard) this.#missed(endpoint, watch, error);
      else answered();
    });
  }

  #missed(endpoint: Endpoint, watch: Watch, error: SessionError): void {
    watch.pinging = false;
    watch.missed++;
    if (watch.missed < this.#failures || this.#watched.get(endpoint) !== watch) return;
    this.#drop(endpoint);
    this.#onDead(endpoint, error);
  }

  #drop(endpoint: Endpoint): void {
    this.#watched.delete(endpoint);
    if (this.#watched.size > 0) return;
    this.#disarm?.();
    this.#disarm = undefined;
  }
}

function noteAlive(endpoint: Endpoint, watch: Watch): void {
  watch.missed = 0;
  watch.heard = endpoint.heard;
}

function hasPing({ revision, side }: Endpoint): boolean {
  return revision?.requests[side].has('ping') === true;
}
