import { deepStrictEqual } from 'node:assert/strict';
import type { Server } from '@tenon/mcp-server';
import type { HttpAsked, ScriptedExchange } from '../http/exchange.js';
import type { HttpFace, MakeFace } from '../http/face.js';
import { asFrame, isAsking, postHeaders, standardHeaders, statedRevision } from '../http/message.js';
import type { Part } from '../http/part.js';
import { Arrivals } from './arrivals.js';
import type { Peer } from './replay.js';
import { Signal } from './signal.js';

const path = '/mcp';
/** Milliseconds to wait for a frame. */
const patience = 10_000;

/** A server that accepts HTTP requests. */
export interface Reached {
  readonly face: HttpFace;
  readonly arrivals: Arrivals;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Serves a server over HTTP to one client. */
export async function httpPeer(server: Server, makeFace: MakeFace): Promise<Peer> {
  const arrivals = new Arrivals(server);
  const face = await makeFace(server);
  const client = new HttpClient({ face, arrivals });
  return {
    send: (frames) => client.send(frames),
    next: (fits) => client.next(fits),
    async end() {
      const how = await client.end();
      await face.close();
      return how;
    },
  };
}

/**
 * A client that follows the specification: it posts each frame, keeps the session, listens with GET when the session is
 * open, and closes the stream of a request if that is how to cancel.
 */
export class HttpClient implements Peer {
  readonly #reached: Reached;
  readonly #exchanges = new Map<ScriptedExchange, unknown>();
  readonly #news = new Signal();
  readonly #onPart = () => this.#news.ring();
  #session: Record<string, string> = {};
  #stated: string | undefined;

  constructor(reached: Reached) {
    this.#reached = reached;
  }

  /** Headers of the session, when it is open. */
  get session(): Readonly<Record<string, string>> {
    return { ...this.#reached.headers, ...this.#session };
  }

  async send(frames: readonly string[]): Promise<void> {
    for (const text of frames) await this.#post(text);
  }

  async next(fits: (frame: unknown) => boolean): Promise<unknown> {
    const deadline = AbortSignal.timeout(patience);
    for (;;) {
      const heads = [...this.#exchanges.keys()].map((exchange) => [exchange, frameOf(exchange)] as const);
      const found = heads.find(([, frame]) => frame !== undefined && fits(frame));
      if (found !== undefined) {
        found[0].skip();
        return found[1];
      }
      if (!(await this.#news.heard(deadline))) return heads.find(([, frame]) => frame !== undefined)?.[1];
    }
  }

  async end(): Promise<{ readonly how: string; readonly unread: readonly unknown[] }> {
    const how = await this.#leave();
    const unread: unknown[] = [];
    for (const exchange of this.#exchanges.keys()) {
      for (let frame = frameOf(exchange); frame !== undefined; frame = frameOf(exchange)) {
        unread.push(frame);
        exchange.skip();
      }
    }
    for (const exchange of this.#exchanges.keys()) exchange.abort();
    return { how, unread };
  }

  async #post(body: string): Promise<void> {
    const frame = parsed(body);
    const { id, method, params } = asFrame(frame);
    if (method === 'notifications/cancelled' && this.#session['mcp-session-id'] === undefined) {
      return this.#cancel(params?.requestId);
    }
    const arrived = this.#reached.arrivals.next();
    const headers = { ...postHeaders, ...this.#headersOf(frame) };
    const exchange = this.#ask({ method: 'POST', path, headers, body });
    if (!isAsking(frame)) return this.#accepted(exchange, method);
    this.#exchanges.set(exchange, id);
    // The next request must not arrive before this one.
    const head = exchange.next();
    if (method === 'initialize') await this.#opened(exchange, await head);
    else await Promise.race([head, arrived]);
  }

  #ask(asked: HttpAsked): ScriptedExchange {
    const { face, headers } = this.#reached;
    return face.request({ ...asked, headers: { ...headers, ...asked.headers } }, this.#onPart);
  }

  #headersOf(frame: unknown): Readonly<Record<string, string>> {
    const stated = statedRevision(frame);
    this.#stated = stated ?? this.#stated;
    if (stated !== undefined) return standardHeaders(frame);
    return this.#stated === undefined ? this.#session : { 'mcp-protocol-version': this.#stated };
  }

  /** Stores the session of a handshake. */
  async #opened(exchange: ScriptedExchange, head: Part | undefined): Promise<void> {
    const id = head?.kind === 'head' ? head.headers['mcp-session-id'] : undefined;
    if (id === undefined) return;
    while (frameOf(exchange) === undefined) await this.#news.heard(AbortSignal.timeout(patience));
    const { result } = frameOf(exchange) as { readonly result: { readonly protocolVersion: string } };
    this.#session = { 'mcp-session-id': id, 'mcp-protocol-version': result.protocolVersion };
  }

  /** Checks that a message without a response is accepted with an empty body; then the client starts to listen. */
  async #accepted(exchange: ScriptedExchange, method: string | undefined): Promise<void> {
    const head = await exchange.next();
    deepStrictEqual(head?.kind === 'head' ? head.status : head, 202);
    deepStrictEqual((await exchange.next())?.kind, 'end');
    if (method !== 'notifications/initialized') return;
    const headers = { accept: 'text/event-stream', ...this.#session };
    const listening = this.#ask({ method: 'GET', path, headers });
    this.#exchanges.set(listening, undefined);
    await listening.next();
  }

  #cancel(requestId: unknown): void {
    for (const [exchange, id] of this.#exchanges) {
      if (id !== requestId || frameOf(exchange) !== undefined) continue;
      exchange.abort();
      this.#exchanges.delete(exchange);
    }
  }

  async #leave(): Promise<string> {
    if (this.#session['mcp-session-id'] === undefined) return 'closes';
    const leaving = this.#ask({ method: 'DELETE', path, headers: this.#session });
    const head = await leaving.next();
    return head?.kind === 'head' && head.status === 204 ? 'closes' : `says ${JSON.stringify(head)} to DELETE`;
  }
}

/** Returns the first frame of an exchange, and skips parts without a frame. */
function frameOf(exchange: ScriptedExchange): unknown {
  for (;;) {
    const part = exchange.peek();
    if (part === undefined) return undefined;
    if (part.kind === 'broken') return part;
    if (part.kind === 'body') return parsed(part.text);
    if (part.kind === 'event' && part.data !== '') return parsed(part.data);
    exchange.skip();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
