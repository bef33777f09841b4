import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** One request and the way to answer it. */
export interface ScriptedCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: string;
}

/** What a script does instead of what a server of this transport does. */
export type Script = (call: ScriptedCall) => unknown;

/** A server that does as it is told; it checks nothing. Without a script it opens streams and takes messages. */
export class ScriptedSse {
  /** Event streams that were opened, in order. */
  readonly streams: ServerResponse[] = [];
  /** Requests but for those, in order. */
  readonly posts: ScriptedCall[] = [];
  /** What becomes of a GET. */
  onGet: Script = ({ response }) => this.stream(response);
  /** What becomes of anything else. */
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

  /** Starts one for the time of a test. */
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

  /** Says something on the newest stream. */
  say(message: unknown): void {
    this.write(
      `event: message\ndata: ${typeof message === 'string' ? message : JSON.stringify(message)}\n\n`,
    );
  }

  /** Writes to the newest stream. */
  write(chunk: string | Uint8Array): void {
    this.streams.at(-1)?.write(chunk);
  }

  /** The message of that number, counted from 1; waits for it. */
  async post(number = 1): Promise<ScriptedCall> {
    await this.until(() => this.posts.length >= number);
    return this.posts[number - 1] as ScriptedCall;
  }

  /** Resolves once every socket is closed. */
  async deserted(): Promise<void> {
    while (this.#sockets.size > 0) {
      // A socket that is reset says so first, and that is no failure here.
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
