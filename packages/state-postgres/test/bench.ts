import type { Clock } from '@tenon/foundation';
import { type State, StateError, type StateStatus } from '@tenon/mcp-state';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type PostgresStateOptions, postgresState } from '../src/index.js';
import { settingsOf } from '../src/options.js';
import { openState } from '../src/postgres-state.js';
import { PostgresServer } from './postgres-server.js';

interface Closable {
  close(): Promise<unknown>;
}

/** The server of a test file, and everything that its tests open, which is closed after each test. */
export class Bench {
  readonly #opened: Closable[] = [];
  #server: PostgresServer | undefined;

  constructor() {
    beforeAll(async () => {
      this.#server = await PostgresServer.start();
    });
    afterEach(async () => {
      for (const one of this.#opened.splice(0).reverse()) await one.close();
    });
    afterAll(() => this.#server?.close());
  }

  get server(): PostgresServer {
    if (this.#server === undefined) throw new Error('The server starts before the first test.');
    return this.#server;
  }

  onEnd(one: Closable): void {
    this.#opened.push(one);
  }

  open(options: PostgresStateOptions = {}): State {
    const target = options.pool === undefined ? { connection: this.server.url } : {};
    const state = postgresState({ ...target, ...options });
    this.onEnd(state);
    return state;
  }

  /** Opens a state with the clock of a test. */
  openWith(clock: Clock, options: PostgresStateOptions = {}): State {
    const state = openState(settingsOf({ connection: this.server.url, ...options }), clock);
    this.onEnd(state);
    return state;
  }

  async connect(): Promise<Client> {
    const client = new Client(this.server.url);
    client.on('error', () => {});
    await client.connect();
    this.onEnd({ close: () => client.end() });
    return client;
  }
}

/** Resolves when a state has a status, with the cause of the change. */
export function statusOf(state: State, wanted: StateStatus): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const remove = state.onStatus((status, cause) => {
      if (status !== wanted) return;
      remove();
      resolve(cause);
    });
    if (state.status === wanted) {
      remove();
      resolve(undefined);
    }
  });
}

/** Returns the StateError that a call rejects with. */
export async function errorOf(call: Promise<unknown>): Promise<StateError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof StateError) return error;
  throw new Error('The call did not reject with a StateError.', { cause: error });
}

export interface Listener {
  next(): Promise<string>;
  end(): Promise<void>;
}

/** Subscribes. `next` resolves with the next message, or "GAP". */
export async function listenTo(state: State, topic: string): Promise<Listener> {
  const received: string[] = [];
  let wake = () => {};
  const add = (text: string) => {
    received.push(text);
    wake();
  };
  const end = await state.bus.subscribe(topic, { message: add, gap: () => add('GAP') });
  const next = async (): Promise<string> => {
    while (received.length === 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    return received.shift() ?? '';
  };
  return { next, end };
}
