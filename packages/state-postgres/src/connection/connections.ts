import { detach, follow } from '@tenon/foundation';
import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient } from 'pg';
import type { Settings } from '../options.js';
import type { Waits } from './waits.js';

/** The one connection that receives messages. */
export interface Dedicated {
  readonly client: ClientBase;
  /** Closes the connection. Resolves when it is closed. */
  end(): Promise<void>;
  /** Drops the connection without an answer of the server. */
  drop(): void;
}

function ignore(): void {}

/** Opens connections: those of a pool for calls, and one for messages. */
export class Connections {
  readonly #given: boolean;
  readonly #config: ClientConfig;
  readonly #pool: Pool;
  readonly #waits: Waits;
  readonly #timeout: number;
  /** The most requests that the pool has at the same time. */
  readonly #most: number;
  /** The generation in which each connection of the pool was opened. */
  readonly #opened = new WeakMap<ClientBase, number>();
  readonly #onConnect: (client: ClientBase) => void;
  #generation = 0;
  /** Requests of the pool for a connection that it has not settled. */
  #requests = 0;
  /** The calls that wait until they may request a connection. A pool does not forget requests that are too late. */
  readonly #turns = new Set<() => void>();

  constructor(settings: Settings, waits: Waits) {
    const { connection, pool, poolSize, timeout } = settings;
    this.#waits = waits;
    this.#timeout = timeout;
    this.#given = pool !== undefined;
    this.#config = {
      application_name: 'tenon',
      keepAlive: true,
      connectionTimeoutMillis: timeout,
      // Shorter than the limit of the call, so that a slow statement does not cost its connection.
      statement_timeout: Math.ceil(timeout * 0.9),
      ...(typeof connection === 'string' ? { connectionString: connection } : connection),
    };
    this.#pool = pool ?? new Pool({ ...this.#config, max: poolSize, idleTimeoutMillis: 30_000 });
    this.#most = pool?.options.max ?? poolSize;
    this.#onConnect = (client) => {
      // At once: an error that arrives before the call has its connection would end the process.
      client.on('error', ignore);
      this.#opened.set(client, this.#generation);
    };
    this.#pool.on('connect', this.#onConnect);
    // The pool replaces a connection that was lost while it was idle.
    this.#pool.on('error', ignore);
  }

  /** Returns a connection that was opened after the last {@link renew}. */
  async acquire(until: number): Promise<PoolClient> {
    for (;;) {
      const client = await this.#checkOut(until);
      const opened = this.#opened.get(client);
      if (opened === undefined) this.#opened.set(client, 0);
      if ((opened ?? 0) >= this.#generation) return client;
      client.release(true);
    }
  }

  /** Has the pool replace all of its connections, each before its next use. */
  renew(): void {
    this.#generation += 1;
  }

  async dedicated(): Promise<Dedicated> {
    const until = this.#waits.now() + this.#timeout;
    if (this.#given) {
      const client = await this.acquire(until);
      const end = async () => client.release(true);
      return { client, end, drop: ignore };
    }
    const client = new Client(this.#config);
    client.on('error', ignore);
    const end = () => client.end();
    try {
      await this.#waits.wait(client.connect(), until, 'a connection');
    } catch (error) {
      detach(end(), ignore);
      throw error;
    }
    return { client, end, drop: () => client.connection.stream.destroy() };
  }

  async end(): Promise<void> {
    if (!this.#given) return this.#pool.end();
    this.#pool.off('connect', this.#onConnect);
    this.#pool.off('error', ignore);
  }

  async #checkOut(until: number): Promise<PoolClient> {
    if (this.#requests < this.#most) this.#requests += 1;
    else await this.#turn(until);
    const checkedOut = this.#pool.connect();
    const settled = () => {
      const [next] = this.#turns;
      if (next === undefined) this.#requests -= 1;
      else next();
    };
    follow(checkedOut, settled, settled);
    try {
      const client = await this.#waits.wait(checkedOut, until, 'a connection');
      // A pool of the user's may have connections from before.
      if (!client.listeners('error').includes(ignore)) client.on('error', ignore);
      return client;
    } catch (error) {
      follow(checkedOut, (client) => client.release(), ignore);
      throw error;
    }
  }

  /** Waits until a request of the pool is settled, and takes its place. */
  async #turn(until: number): Promise<void> {
    let take = (): void => {};
    const turn = new Promise<void>((resolve) => {
      take = () => {
        this.#turns.delete(take);
        resolve();
      };
    });
    this.#turns.add(take);
    try {
      await this.#waits.wait(turn, until, 'a connection');
    } finally {
      this.#turns.delete(take);
    }
  }
}
