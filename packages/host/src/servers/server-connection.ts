import { type Cancel, type Clock, unlessAborted } from '@tenon/foundation';
import { type Client, type ConnectOptions, connect, type Target, type Watch } from '@tenon/mcp-client';
import { readLists, type ServerLists } from './server-lists.js';

/** The target and options of one connection. */
export interface Dialing {
  readonly target: Target;
  readonly options: ConnectOptions;
}

export interface ConnectionParts {
  /** The name of the server in the host. */
  readonly name: string;
  readonly clock: Clock;
  /** The lists before this connection. */
  readonly before: ServerLists;
  /** Called with the lists each time they were read. */
  readonly onLists: (lists: ServerLists) => void;
  /** Called when the connection has ended, and nothing replaces it. */
  readonly onLost: (connection: ServerConnection, reason: unknown) => void;
  readonly onError: (error: unknown, where: string) => void;
}

/** Milliseconds at least between two readings of the lists: a server may announce changes without end. */
const readingPause = 1_000;
/** Milliseconds before changes are watched again after the watch has failed. */
const watchingPause = 60_000;

/**
 * Opens a connection, and reads the lists of the server.
 * @param dial - resolves with the target once the connection may be opened.
 * @throws the errors of `dial` and `connect`; the error of the tools if they cannot be read and none are known; the reason of the signal.
 */
export async function openConnection(
  dial: Promise<Dialing>,
  parts: ConnectionParts,
  signal: AbortSignal,
): Promise<ServerConnection> {
  const { target, options } = await unlessAborted(dial, signal);
  const connection = new ServerConnection(await connect(target, { ...options, signal }), parts);
  try {
    await unlessAborted(connection.start(), signal);
    signal.throwIfAborted();
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

type Work = 'lists' | 'changes';

/** One connection to a server: its client, its lists, and the changes that the server announces. */
export class ServerConnection {
  readonly client: Client;
  readonly #parts: ConnectionParts;
  readonly #end = new AbortController();
  #lists: ServerLists;
  #watch: Watch | undefined;
  /** Work that waits for its time. */
  readonly #waiting = new Map<Work, Cancel>();
  #isReading = false;
  /** True if a change was announced while the lists were read. */
  #isOutdated = false;

  constructor(client: Client, parts: ConnectionParts) {
    this.client = client;
    this.#parts = parts;
    this.#lists = parts.before;
  }

  async start(): Promise<void> {
    const { client } = this;
    let isLost = false;
    client.onStateChange(({ state, reason }) => {
      if (this.#end.signal.aborted) return;
      if (state === 'closed') this.#parts.onLost(this, reason);
      // The server may be another one since.
      if (state === 'open' && isLost) this.#readSoon(0);
      isLost = state !== 'open';
    });
    await this.read();
    await this.#listen();
  }

  /** Reads the lists. @throws as `readLists` does. */
  async read(): Promise<void> {
    const { name, onError, onLists } = this.#parts;
    const { signal } = this.#end;
    const report = (error: unknown) => onError(error, `lists of ${name}`);
    const lists = await readLists(this.client, { before: this.#lists, signal, report });
    signal.throwIfAborted();
    this.#lists = lists;
    onLists(lists);
  }

  /** Ends the connection: nothing is reported any more. */
  async close(): Promise<void> {
    this.#end.abort();
    for (const cancel of this.#waiting.values()) cancel();
    await this.#watch?.close().catch(() => undefined);
    await this.client.close();
  }

  async #listen(): Promise<void> {
    const { name, onError } = this.#parts;
    const { tools, prompts, resources } = this.client.capabilities;
    const filter = {
      ...(tools?.listChanged && { tools: true }),
      ...(prompts?.listChanged && { prompts: true }),
      ...(resources?.listChanged && { resources: true }),
    };
    if (Object.keys(filter).length === 0 || this.#end.signal.aborted) return;
    try {
      const watch = await this.client.watch(filter, (change) => {
        if (change.kind !== 'ended') this.#readSoon(readingPause);
        else if (change.error !== undefined) this.#listenAgain();
      });
      this.#watch = watch;
      if (this.#end.signal.aborted) await watch.close();
    } catch (error) {
      if (this.#end.signal.aborted) return;
      onError(error, `changes of ${name}`);
      this.#listenAgain();
    }
  }

  #listenAgain(): void {
    this.#later('changes', watchingPause, async () => {
      await this.#listen();
      // What changed in the pause was not announced.
      this.#readSoon(0);
    });
  }

  /** Has the lists read after a time, and again after a reading that runs: a server may answer slower than it announces changes. */
  #readSoon(ms: number): void {
    if (this.#isReading) this.#isOutdated = true;
    else this.#later('lists', ms, () => this.#reread());
  }

  async #reread(): Promise<void> {
    this.#isReading = true;
    try {
      await this.read();
    } finally {
      this.#isReading = false;
      if (this.#isOutdated) this.#readSoon(readingPause);
      this.#isOutdated = false;
    }
  }

  /** Does work after a time, unless such work waits already. */
  #later(of: Work, ms: number, work: () => Promise<void>): void {
    const { clock, name, onError } = this.#parts;
    if (this.#end.signal.aborted || this.#waiting.has(of)) return;
    const cancel = clock.schedule(() => {
      this.#waiting.delete(of);
      work().catch((error: unknown) => {
        if (!this.#end.signal.aborted) onError(error, `${of} of ${name}`);
      });
    }, ms);
    this.#waiting.set(of, cancel);
  }
}
