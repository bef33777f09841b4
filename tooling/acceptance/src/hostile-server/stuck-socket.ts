import type { Buffer } from 'node:buffer';
import type { Server } from 'node:http';
import { Duplex } from 'node:stream';

/** A connection of an HTTP server to a client that reads only when a test says so, and only as much. */
export class StuckSocket extends Duplex {
  readonly remoteAddress: string;
  /** What the client has read. */
  text = '';
  #window = 0;
  #chunk: Buffer | undefined;
  #taken: (() => void) | undefined;

  constructor(server: Server, remoteAddress = '192.0.2.1') {
    super();
    this.remoteAddress = remoteAddress;
    this.on('error', () => undefined);
    server.emit('connection', this);
  }

  /** The client sends something; what it leads to at once has happened afterwards. */
  async says(text: string): Promise<void> {
    this.push(text);
    await turns();
  }

  /** The client reads so many bytes more. */
  async reads(bytes = Number.POSITIVE_INFINITY): Promise<void> {
    this.#window += bytes;
    this.#move();
    await turns();
  }

  /** The statuses of the answers whose heads were read. */
  get statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }

  /** Bytes of the server's that this connection holds. */
  get held(): number {
    return this.destroyed ? 0 : this.writableLength;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunk = chunk;
    this.#taken = done;
    this.#move();
  }

  #move(): void {
    const chunk = this.#chunk;
    if (chunk === undefined) return;
    const size = Math.min(this.#window, chunk.length);
    this.#window -= size;
    this.text += chunk.toString('latin1', 0, size);
    this.#chunk = size < chunk.length ? chunk.subarray(size) : undefined;
    if (this.#chunk === undefined) this.#taken?.();
  }
}

/** Lets happen what has nothing more to wait for. */
export async function turns(): Promise<void> {
  for (let count = 0; count < 20; count++) await new Promise((resolve) => setImmediate(resolve));
}
