import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Client } from '../src/client.js';
import { connect } from '../src/connect.js';
import { type HttpTargetOptions, httpTarget } from '../src/http.js';
import type { ClientOptions } from '../src/options.js';
import type { WireMessage } from './scripted-server.js';
import { discoverResult, initializeResult } from './scripts.js';

/** Handles each request of the server. */
export type HttpScript = (call: HttpCall) => unknown;

let started = 0;

/** A server over HTTP that replays a script; it knows nothing of the protocol. */
export class HttpPeer {
  script: HttpScript;
  /** Every request, in order. */
  readonly calls: HttpCall[] = [];
  readonly url: string;
  readonly #server: Server;
  readonly #waiting = new Set<() => void>();

  private constructor(server: Server, script: HttpScript) {
    this.#server = server;
    this.script = script;
    // What one test finds out of a server is nothing to another on the same port.
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp-${++started}`;
    server.on('request', (request, response) => void this.#take(request, response));
  }

  /** Starts a server; it is closed after the test. */
  static async start(script: HttpScript): Promise<HttpPeer> {
    const server = await listening();
    const peer = new HttpPeer(server, script);
    onTestFinished(() => peer.close());
    return peer;
  }

  /** Connects a client; it is closed after the test. */
  async connect(options: Partial<ClientOptions> = {}, http?: HttpTargetOptions): Promise<Client> {
    const client = await connect(http === undefined ? this.url : httpTarget(this.url, http), {
      info: { name: 'client', version: '1' },
      ...options,
    });
    onTestFinished(() => client.close());
    return client;
  }

  /** The received requests, each as its HTTP method or the method of its message. */
  get heard(): string[] {
    return this.calls.map((call) => call.name);
  }

  /** The call of this number and name, counted from 1; waits for it. */
  async call(name: string, number = 1): Promise<HttpCall> {
    for (;;) {
      const found = this.calls.filter((one) => one.name === name)[number - 1];
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Breaks every connection and leaves the port. */
  async stop(): Promise<void> {
    await this.close();
  }

  /** Listens at the same port again: one that the system gives to no other program meanwhile. */
  async restart(): Promise<void> {
    this.#server.listen(Number(new URL(this.url).port), '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = new HttpCall(request, response, await text(request));
    this.calls.push(call);
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
    await this.script(call);
  }
}

/** One request, and the ways to answer it. */
export class HttpCall {
  readonly headers: IncomingMessage['headers'];
  readonly path: string;
  readonly message: WireMessage;
  /** The method of the message, or of HTTP where there is none. */
  readonly name: string;
  readonly response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse, body: string) {
    this.headers = request.headers;
    this.path = request.url ?? '';
    this.message = body === '' ? {} : JSON.parse(body);
    this.name = body === '' ? (request.method ?? '') : (this.message.method ?? 'answer');
    this.response = response;
  }

  raw(status: number, body = '', headers: Record<string, string> = {}): void {
    this.response.writeHead(status, headers).end(body);
  }

  json(status: number, value: unknown, headers: Record<string, string> = {}): void {
    this.raw(status, JSON.stringify(value), { 'content-type': 'application/json', ...headers });
  }

  result(result: unknown, headers: Record<string, string> = {}): void {
    this.json(200, { jsonrpc: '2.0', id: this.message.id, result }, headers);
  }

  error(status: number, code: number, data?: unknown): void {
    const error = { code, message: `Error ${code}`, data };
    this.json(status, { jsonrpc: '2.0', id: this.message.id, error });
  }

  /** Begins a stream of events, or goes on with one. */
  event(message: object): void {
    if (!this.response.headersSent) this.response.writeHead(200, { 'content-type': 'text/event-stream' });
    this.response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
  }

  reset(): void {
    this.response.socket?.resetAndDestroy();
  }
}

/** Replies by name; other requests get no answer. */
export type HttpReplies = Readonly<Record<string, HttpScript>>;

/** A server of the stateless revision. */
export function modern(replies: HttpReplies = {}): HttpScript {
  return (call) => {
    const own = replies[call.name];
    if (own !== undefined) return own(call);
    if (call.name === 'server/discover') return call.result(discoverResult(['2026-07-28']));
    if (call.name === 'GET' || call.name === 'DELETE') return call.raw(405);
    if (call.name !== 'initialize') return undefined;
    return call.error(400, -32022, { supported: ['2026-07-28'] });
  };
}

/** A server of a revision with sessions, each with its own id; answers 404 to requests without the newest id. */
export function sessions(replies: HttpReplies = {}, revision = '2025-11-25'): HttpScript {
  let count = 0;
  return (call) => {
    if (call.name === 'initialize') {
      return call.result(initializeResult(revision), { 'mcp-session-id': `session-${++count}` });
    }
    if (call.name === 'server/discover') return call.error(400, -32000);
    if (call.headers['mcp-session-id'] !== `session-${count}`) return call.raw(404);
    const own = replies[call.name];
    if (own !== undefined) return own(call);
    if (call.name.startsWith('notifications/') || call.name === 'answer') return call.raw(202);
    return call.name === 'GET' || call.name === 'DELETE' ? call.raw(405) : undefined;
  };
}

/**
 * Listens at a port below those that the system assigns by itself (32768 and above on Linux), so that no other program is given the
 * port while the server is stopped.
 */
async function listening(): Promise<Server> {
  for (;;) {
    const server = createServer();
    server.listen(10_000 + Math.floor(Math.random() * 20_000), '127.0.0.1');
    try {
      await once(server, 'listening');
      return server;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}
