import { type Client, type ClientOptions, connect, type StateChange } from '@tenon/mcp-client';
import type { HttpClientLimits } from '@tenon/mcp-client/http';
import type { SpawnOptions } from '@tenon/mcp-client/stdio';
import { FakeClock } from '@tenon/mcp-testing';
import { expect } from 'vitest';
import { goodContent, Liar, type Lies, type TransportName } from './liar.js';
import type { Place } from './place.js';
import { postedLiar, type Raw } from './posted-liar.js';
import { relayedLiar } from './relayed-liar.js';

/** Options of a stage. */
export interface Setting {
  readonly transport: TransportName;
  readonly revision: string;
  /** True if the client may choose the revision. */
  readonly chooses?: boolean | undefined;
  readonly lies: Lies;
  readonly options?: Partial<ClientOptions> | undefined;
  readonly http?: Partial<HttpClientLimits> | undefined;
  readonly raw?: Raw | undefined;
  readonly stdio?: Partial<SpawnOptions> | undefined;
}

/** An error reported to `onError`; the first hundred are kept. */
export interface Reported {
  readonly error: Error;
  readonly where: string;
}

/** A client, the misbehaving server, and everything both observed. */
export class Stage {
  readonly clock = new FakeClock();
  readonly reported: Reported[] = [];
  readonly states: StateChange[] = [];
  readonly liar: Liar;
  readonly #setting: Setting;
  readonly #listeners = new Set<() => void>();
  #place: Place | undefined;
  #client: Client | undefined;

  constructor(setting: Setting) {
    this.#setting = setting;
    this.liar = new Liar(setting.revision, setting.lies);
  }

  get transport(): TransportName {
    return this.#setting.transport;
  }

  get revision(): string {
    return this.#setting.revision;
  }

  get client(): Client {
    if (this.#client === undefined) throw new Error('The client is not connected.');
    return this.#client;
  }

  /** Connects; rejects as `connect` does. */
  async open(): Promise<Client> {
    const { transport, chooses, options, http: limits, raw, stdio } = this.#setting;
    const { liar, clock } = this;
    this.#place =
      transport === 'http' ? await postedLiar(liar, { clock, limits, raw }) : await relayedLiar(liar, stdio);
    this.#client = await connect(this.#place.target, {
      info: { name: 'honest', version: '1' },
      ...(chooses !== true && { revision: this.revision }),
      clock,
      random: () => 0.5,
      onError: (error, where) => this.#note(error, where),
      onStateChange: (change) => this.states.push(change),
      ...options,
    });
    return this.#client;
  }

  #note(error: unknown, where: string): void {
    if (this.reported.length < 100) this.reported.push({ error: error as Error, where });
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }

  /** Resolves when `onError` receives a matching error. */
  async untilReported(what: RegExp): Promise<void> {
    while (!this.reported.some(({ error, where }) => what.test(`${where}: ${error.message}`))) {
      await new Promise<void>((resolve) => this.#listeners.add(resolve));
    }
  }

  /** Moves the clock past waits up to a maximum until a promise settles. */
  async drive<Result>(promise: Promise<Result>, within = 30_000): Promise<Result> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    promise.then(over, over);
    while (!isOver) {
      const [wait] = this.clock.waiting;
      if (wait !== undefined && wait <= within) await this.clock.advance(Math.max(0, wait));
      await new Promise((resolve) => setImmediate(resolve));
    }
    return promise;
  }

  /** Checks that a valid call gets its result. */
  async serves(): Promise<void> {
    expect((await this.client.callTool('good')).content).toEqual(goodContent);
  }

  /** Closes everything, and checks that no timer and no process is left. */
  async close(): Promise<void> {
    if (this.#client !== undefined) await this.drive(this.#client.close(), 10_000);
    const remains = await this.#place?.remains();
    await this.#place?.close();
    expect({ remains, timers: this.clock.waiting }).toEqual({ remains: [], timers: [] });
  }
}
