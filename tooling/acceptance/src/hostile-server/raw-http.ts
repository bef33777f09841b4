import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One response as it was on the wire. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A client that writes bytes, and closes its half of the connection only on request. */
export class RawHttp {
  readonly socket: Socket;
  /** All bytes received so far, as text. */
  text = '';
  readonly #responses: RawResponse[] = [];
  readonly #waiting = new Set<() => void>();
  #readTo = 0;
  #ended = false;
  #closed = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      this.text += chunk;
      this.#wake();
    });
    socket.on('error', () => {});
    socket.on('end', () => {
      this.#ended = true;
      this.#wake();
    });
    socket.on('close', () => {
      this.#ended = true;
      this.#closed = true;
      this.#wake();
    });
  }

  /** Opens a connection to the host and port of a URL. */
  static async open(url: string): Promise<RawHttp> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    await once(socket, 'connect');
    return new RawHttp(socket);
  }

  /** True if the server closed the connection. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Complete responses received so far, in order. */
  get responses(): readonly RawResponse[] {
    for (;;) {
      const read = readResponse(this.text, this.#readTo);
      if (read === undefined) return this.#responses;
      this.#responses.push(read.response);
      this.#readTo = read.end;
    }
  }

  write(text: string | Uint8Array): this {
    if (!this.socket.destroyed) this.socket.write(typeof text === 'string' ? Buffer.from(text) : text);
    return this;
  }

  async until(condition: () => boolean): Promise<this> {
    while (!condition()) {
      if (this.#ended) throw new Error(`The connection ended after: ${this.text.slice(-300)}`);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
    return this;
  }

  /** Waits for a number of complete responses. Returns the last one. */
  async count(number: number): Promise<RawResponse> {
    await this.until(() => this.responses.length >= number);
    return this.responses[number - 1] as RawResponse;
  }

  /** Waits for a number of complete responses, or for the end of the connection. */
  async countOrEnd(number: number): Promise<readonly RawResponse[]> {
    while (!this.#ended && this.responses.length < number)
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    return this.responses;
  }

  /** Waits until the server closes the connection, and closes it too. */
  async end(): Promise<readonly RawResponse[]> {
    while (!this.#ended) await new Promise<void>((resolve) => this.#waiting.add(resolve));
    this.socket.destroy();
    while (!this.#closed) await new Promise<void>((resolve) => this.#waiting.add(resolve));
    return this.responses;
  }

  close(): void {
    this.socket.destroy();
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

/** Headers by name; a list repeats the header. */
export type RawHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Returns the text of a request. Adds host and length unless they are given, or given as undefined. */
export function requestText(line: string, headers: RawHeaders = {}, body = ''): string {
  const length = body === '' ? undefined : String(Buffer.byteLength(body));
  const all: RawHeaders = { host: '127.0.0.1', 'content-length': length, ...headers };
  const lines = Object.entries(all).flatMap(([name, value]) => {
    const values = value === undefined || typeof value === 'string' ? [value] : value;
    return values.filter((one) => one !== undefined).map((one) => `${name}: ${one}\r\n`);
  });
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

function readResponse(text: string, from: number): { response: RawResponse; end: number } | undefined {
  const start = text.indexOf('\r\n\r\n', from) + 4;
  if (start < 4) return undefined;
  const [first = '', ...lines] = text.slice(from, start - 4).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const status = Number(first.split(' ')[1]);
  if (headers['transfer-encoding'] === 'chunked') {
    const read = readChunks(text, start);
    return read && { response: { status, headers, body: utf8(read.body) }, end: read.end };
  }
  const end = start + Number(headers['content-length'] ?? 0);
  if (text.length < end) return undefined;
  return { response: { status, headers, body: utf8(text.slice(start, end)) }, end };
}

function readChunks(text: string, from: number): { body: string; end: number } | undefined {
  const parts: string[] = [];
  for (let at = from; ; ) {
    const lineEnd = text.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(text.slice(at, lineEnd), 16);
    const start = lineEnd + 2;
    if (Number.isNaN(size) || text.length < start + size + 2) return undefined;
    parts.push(text.slice(start, start + size));
    at = start + size + 2;
    if (size === 0) return { body: parts.join(''), end: at };
  }
}

function utf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString();
}
