import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** Handles each request of a test. */
export type HttpScript = (call: HttpCall) => unknown;

/** An HTTP server that follows a script. It does not implement the protocol. */
export class ScriptedHttp {
  /** Every request, in order. */
  readonly calls: HttpCall[] = [];
  readonly sockets = new Set<Socket>();
  readonly #server: Server;
  #port = 0;
  readonly #waiting = new Set<() => void>();

  private constructor(script: HttpScript) {
    this.#server = createServer((request, response) => void this.#take(script, request, response));
    this.#server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  static async start(script: HttpScript): Promise<ScriptedHttp> {
    const scripted = new ScriptedHttp(script);
    scripted.#server.listen(0, '127.0.0.1');
    await once(scripted.#server, 'listening');
    scripted.#port = (scripted.#server.address() as AddressInfo).port;
    return scripted;
  }

  /** Breaks every connection and closes the port. */
  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.resetAndDestroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Listens at the same port again. */
  async restart(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  /** Waits for a call of an HTTP method by its number, counted from 1. */
  async call(method: string, number = 1): Promise<HttpCall> {
    for (;;) {
      const found = this.calls.filter((one) => one.method === method)[number - 1];
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Resolves when every socket is closed. */
  async deserted(): Promise<void> {
    while (this.sockets.size > 0) await Promise.all([...this.sockets].map((socket) => once(socket, 'close')));
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #take(script: HttpScript, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = new HttpCall(request, response, await text(request));
    this.calls.push(call);
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
    await script(call);
  }
}

/** One request, and functions to answer it. */
export class HttpCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly response: ServerResponse;
  /** Resolves when the response is complete or its connection has closed. */
  readonly closed: Promise<unknown>;

  constructor(request: IncomingMessage, response: ServerResponse, body: string) {
    this.method = request.method ?? '';
    this.path = request.url ?? '';
    this.headers = request.headers;
    this.body = body;
    this.response = response;
    this.closed = once(response, 'close');
  }

  /** The message in the body. */
  get message(): {
    id?: number | string;
    method?: string;
    params?: Record<string, unknown>;
    result?: unknown;
  } {
    return JSON.parse(this.body);
  }

  /** Answers with JSON. */
  json(value: unknown, status = 200, headers: Record<string, string> = {}): void {
    this.response.writeHead(status, { 'content-type': 'application/json', ...headers });
    this.response.end(JSON.stringify(value));
  }

  /** Answers the request with a result. */
  result(result: unknown = {}, headers: Record<string, string> = {}): void {
    this.json({ jsonrpc: '2.0', id: this.message.id, result }, 200, headers);
  }

  /** Answers with bytes of any type. */
  raw(status: number, headers: Record<string, string> = {}, body: string | Buffer = ''): void {
    this.response.writeHead(status, headers);
    this.response.end(body);
  }

  /** Starts an event stream. */
  events(headers: Record<string, string> = {}): void {
    this.response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
    this.response.flushHeaders();
  }

  /** Sends one event. */
  event(data: unknown, fields: Record<string, string | number> = {}): void {
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`);
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    this.response.write(`${lines.join('')}data: ${text}\n\n`);
  }

  end(): void {
    this.response.end();
  }

  /** Breaks the connection. */
  reset(): void {
    this.response.socket?.resetAndDestroy();
  }
}
