import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** One request, and its response. */
export interface ScriptedCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: string;
}

/** Replaces the behaviour of a server of this transport. */
export type Script = (call: ScriptedCall) => unknown;

/** A scripted server that checks nothing. Without a script it opens streams and accepts messages. */
export class ScriptedSse {
  /** Opened event streams, in order. */
  readonly streams: ServerResponse[] = [];
  /** Other requests, in order. */
  readonly posts: ScriptedCall[] = [];
  /** Handles a GET. */
  onGet: Script = ({ response }) => this.stream(response);
  /** Handles all other requests. */
  onPost: Script = ({ response }) => response.writeHead(202).end('Accepted');
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #waiting = new Set<() => void>();

  private constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** Starts a server that is closed after the test. */
  static async start(script: { onGet?: Script; onPost?: Script } = {}): Promise<ScriptedSse> {
    const scripted = Object.assign(new ScriptedSse(), script);
    scripted.#server.listen(0, '127.0.0.1');
    await once(scripted.#server, 'listening');
    onTestFinished(async () => {
      scripted.#server.closeAllConnections();
      scripted.#server.close();
      await once(scripted.#server, 'close');
    });
    return scripted;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `${this.origin}/sse`;
  }

  /** Begins an event stream with an endpoint event, or with another text. */
  stream(response: ServerResponse, begin = 'event: endpoint\ndata: /messages?id=1\n\n'): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    response.write(begin);
    this.streams.push(response);
    this.#wake();
  }

  /** Sends a message on the newest stream. */
  say(message: unknown): void {
    this.write(
      `event: message\ndata: ${typeof message === 'string' ? message : JSON.stringify(message)}\n\n`,
    );
  }

  /** Writes to the newest stream. */
  write(chunk: string | Uint8Array): void {
    this.streams.at(-1)?.write(chunk);
  }

  /** Returns the message with that number, counted from 1; waits for it. */
  async post(number = 1): Promise<ScriptedCall> {
    await this.until(() => this.posts.length >= number);
    return this.posts[number - 1] as ScriptedCall;
  }

  /** Resolves when every socket is closed. */
  async deserted(): Promise<void> {
    while (this.#sockets.size > 0) {
      // A socket that is reset emits an error first, which is not a failure here.
      const closings = [...this.#sockets].map((one) => new Promise((resolve) => one.once('close', resolve)));
      await Promise.all(closings);
    }
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = { request, response, body: await text(request) };
    if (request.method === 'GET') {
      this.onGet(call);
      return;
    }
    this.posts.push(call);
    this.onPost(call);
    this.#wake();
  }
}
