import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One response as received. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A client that writes raw bytes. */
export class RawHttp {
  readonly socket: Socket;
  /** All text received so far. */
  text = '';
  ended = false;
  readonly #waiting = new Set<() => void>();

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      this.text += chunk;
      this.#wake();
    });
    socket.on('error', () => undefined);
    socket.on('end', () => this.#wake());
    socket.on('close', () => {
      this.ended = true;
      this.#wake();
    });
  }

  static async open(url: string): Promise<RawHttp> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    await once(socket, 'connect');
    return new RawHttp(socket);
  }

  write(text: string | Uint8Array): this {
    this.socket.write(text);
    return this;
  }

  async until(condition: () => boolean): Promise<this> {
    while (!condition()) {
      if (this.ended || this.socket.readableEnded)
        throw new Error(`The connection ended after: ${this.text.slice(-200)}`);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
    return this;
  }

  /** Waits until the server has closed the connection. */
  async end(): Promise<this> {
    while (!this.ended) {
      if (this.socket.readableEnded) this.socket.end();
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
    return this;
  }

  /** Complete responses received so far, in order. */
  get responses(): RawResponse[] {
    const found: RawResponse[] = [];
    let rest = this.text;
    for (;;) {
      const read = readResponse(rest);
      if (read === undefined) return found;
      found.push(read.response);
      rest = read.rest;
    }
  }

  /** Waits for this many complete responses. */
  async count(number: number): Promise<RawResponse[]> {
    await this.until(() => this.responses.length >= number);
    return this.responses;
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

/** Returns the text of a request with a body. Adds `host` and `content-length` unless given. */
export function post(body: string, headers: Readonly<Record<string, string>> = {}): string {
  const all = {
    host: '127.0.0.1',
    'content-type': 'application/json',
    'content-length': `${Buffer.byteLength(body)}`,
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

function readResponse(text: string): { response: RawResponse; rest: string } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const status = Number(first.split(' ')[1]);
  const rest = text.slice(end + 4);
  if (headers['transfer-encoding'] === 'chunked') {
    const read = readChunks(rest);
    return read && { response: { status, headers, body: read.body }, rest: read.rest };
  }
  const length = Number(headers['content-length'] ?? 0);
  if (rest.length < length) return undefined;
  return { response: { status, headers, body: rest.slice(0, length) }, rest: rest.slice(length) };
}

function readChunks(text: string): { body: string; rest: string } | undefined {
  let body = '';
  let rest = text;
  for (;;) {
    const [, digits] = /^([0-9a-f]+)\r\n/i.exec(rest) ?? [];
    if (digits === undefined) return undefined;
    const start = digits.length + 2;
    const size = Number.parseInt(digits, 16);
    if (rest.length < start + size + 2) return undefined;
    body += rest.slice(start, start + size);
    rest = rest.slice(start + size + 2);
    if (size === 0) return { body, rest };
  }
}

/** Returns a text of this many bytes in one piece; `repeat` would make a tree of strings. */
export function textOf(size: number): string {
  return Buffer.alloc(size, 'x').toString('latin1');
}
