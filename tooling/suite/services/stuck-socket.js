import { Duplex } from 'node:stream';

/** A connection of an HTTP server to a client that reads only when a test says so, and only as many bytes. */
export class StuckSocket extends Duplex {
  /** The text that the client has read. */
  text = '';
  #window = 0;
  /** @type {Buffer | undefined} */
  #chunk;
  /** @type {(() => void) | undefined} */
  #taken;

  /**
   * @param {import('node:http').Server} server serves the connection; it need not listen
   * @param {string} [remoteAddress]
   */
  constructor(server, remoteAddress = '192.0.2.1') {
    super();
    this.remoteAddress = remoteAddress;
    this.on('error', () => undefined);
    server.emit('connection', this);
  }

  /**
   * The client sends a text. Resolves after the work that follows immediately.
   *
   * @param {string} text
   */
  async says(text) {
    this.push(text);
    await turns();
  }

  /**
   * The client reads more bytes. Resolves after the work that follows immediately.
   *
   * @param {number} [bytes] everything by default
   */
  async reads(bytes = Number.POSITIVE_INFINITY) {
    this.#window += bytes;
    this.#move();
    await turns();
  }

  /** The statuses of the responses that the client has read the head of. */
  get statuses() {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }

  /** Bytes from the server that the client has not read. */
  get held() {
    return this.destroyed ? 0 : this.writableLength;
  }

  /** @override */
  _read() {}

  /**
   * @override
   * @param {Buffer} chunk
   * @param {BufferEncoding} _encoding
   * @param {() => void} done
   */
  _write(chunk, _encoding, done) {
    this.#chunk = chunk;
    this.#taken = done;
    this.#move();
  }

  #move() {
    const chunk = this.#chunk;
    if (chunk === undefined) return;
    const size = Math.min(this.#window, chunk.length);
    this.#window -= size;
    this.text += chunk.toString('latin1', 0, size);
    this.#chunk = size < chunk.length ? chunk.subarray(size) : undefined;
    if (this.#chunk === undefined) this.#taken?.();
  }
}

/** Resolves after twenty turns of the event loop: enough for work that does not wait for I/O or timers. */
export async function turns() {
  for (let count = 0; count < 20; count++) await new Promise((resolve) => setImmediate(resolve));
}
