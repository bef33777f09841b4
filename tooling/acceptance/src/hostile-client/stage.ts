import { type Client, type ClientOptions, connect, type StateChange } from '@tenon/mcp-client';
import type { HttpClientLimits } from '@tenon/mcp-client/http';
import type { SpawnOptions } from '@tenon/mcp-client/stdio';
import { FakeClock } from '@tenon/mcp-testing';
import { expect } from 'vitest';
import { type Carrier, goodContent, Liar, type Lies } from './liar.js';
import type { Place } from './place.js';
import { postedLiar, type Raw } from './posted-liar.js';
import { relayedLiar } from './relayed-liar.js';

/** What is put on stage. */
export interface Setting {
  readonly carrier: Carrier;
  readonly revision: string;
  /** The client is not told which. */
  readonly chooses?: boolean | undefined;
  readonly lies: Lies;
  readonly options?: Partial<ClientOptions> | undefined;
  readonly http?: Partial<HttpClientLimits> | undefined;
  readonly raw?: Raw | undefined;
  readonly stdio?: Partial<SpawnOptions> | undefined;
}

/** Something `onError` heard; the first hundred are kept. */
export interface Told {
  readonly error: Error;
  readonly where: string;
}

/** A client, the liar it talks to, and all there is to know of both. */
export class Stage {
  readonly clock = new FakeClock();
  readonly told: Told[] = [];
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

  get carrier(): Carrier {
    return this.#setting.carrier;
  }

  get revision(): string {
    return this.#setting.revision;
  }

  get client(): Client {
    if (this.#client === undefined) throw new Error('Nothing is connected.');
    return this.#client;
  }

  /** Connects; fails as connecting does. */
  async open(): Promise<Client> {
    const { carrier, chooses, options, http: limits, raw, stdio } = this.#setting;
    const { liar, clock } = this;
    this.#place =
      carrier === 'http' ? await postedLiar(liar, { clock, limits, raw }) : await relayedLiar(liar, stdio);
    this.#client = await connect(this.#place.target, {
      info: { name: 'honest', version: '1' },
      ...(chooses !== true && { revision: this.revision }),
      clock,
      random: () => 0.5,
      onError: (error, where) => this.#note(error, where),
      onState: (change) => this.states.push(change),
      ...options,
    });
    return this.#client;
  }

  #note(error: unknown, where: string): void {
    if (this.told.length < 100) this.told.push({ error: error as Error, where });
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }

  /** Resolves once `onError` has heard of something. */
  async hears(what: RegExp): Promise<void> {
    while (!this.told.some(({ error, where }) => what.test(`${where}: ${error.message}`))) {
      await new Promise<void>((resolve) => this.#listeners.add(resolve));
    }
  }

  /** Lets waits of at most so many milliseconds pass until a promise is settled. */
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

  /** A call that nothing is wrong with is answered. */
  async serves(): Promise<void> {
    expect((await this.client.callTool('good')).content).toEqual(goodContent);
  }

  /** Ends everything. Nothing of it may be left: no timer, no process. */
  async close(): Promise<void> {
    if (this.#client !== undefined) await this.drive(this.#client.close(), 10_000);
    const remains = await this.#place?.remains();
    await this.#place?.close();
    expect({ remains, timers: this.clock.waiting }).toEqual({ remains: [], timers: [] });
  }
}
