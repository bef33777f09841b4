import { deepStrictEqual } from 'node:assert/strict';
import type { Server } from '@tenon/mcp-server';
import { sseMount } from '@tenon/mcp-server/sse';
import type { ScriptedExchange } from '../http/exchange.js';
import { type HttpFace, nodeFace } from '../http/face.js';
import type { Part } from '../http/part.js';
import type { Peer } from './replay.js';

/** Serves a server over HTTP+SSE to one client. */
export async function ssePeer(server: Server): Promise<Peer> {
  const face = await nodeFace(server, { mounts: [sseMount(server)] });
  const client = await SseClient.open(face);
  return {
    send: (frames) => client.send(frames),
    next: () => client.next(),
    async end() {
      const how = client.end();
      await face.close();
      return how;
    },
  };
}

/** A client of HTTP+SSE: it receives everything on one stream, and posts each frame to the endpoint from that stream. */
export class SseClient implements Peer {
  readonly endpoint: string;
  readonly #face: HttpFace;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #stream: ScriptedExchange;

  private constructor(face: HttpFace, { stream, endpoint, headers }: Opened) {
    this.#face = face;
    this.#stream = stream;
    this.#headers = headers;
    this.endpoint = endpoint;
  }

  /** @param headers - headers of every request */
  static async open(face: HttpFace, headers: Readonly<Record<string, string>> = {}): Promise<SseClient> {
    const stream = face.request({
      method: 'GET',
      path: '/sse',
      headers: { ...headers, accept: 'text/event-stream' },
    });
    deepStrictEqual((await stream.next())?.kind, 'head');
    const first = await stream.next();
    const endpoint = first?.kind === 'event' && first.event === 'endpoint' ? first.data : '';
    return new SseClient(face, { stream, endpoint, headers });
  }

  async send(frames: readonly string[]): Promise<void> {
    for (const body of frames) {
      const headers = { ...this.#headers, 'content-type': 'application/json' };
      const exchange = this.#face.request({ method: 'POST', path: this.endpoint, headers, body });
      const head = await exchange.next();
      deepStrictEqual(head?.kind === 'head' ? head.status : head, 202);
    }
  }

  async next(): Promise<unknown> {
    for (;;) {
      const part = await this.#stream.next();
      if (part?.kind !== 'comment') return frameOf(part);
    }
  }

  async end(): Promise<{ readonly how: string; readonly unread: readonly unknown[] }> {
    const unread = this.#stream.rest().filter(({ kind }) => kind !== 'comment');
    this.#stream.abort();
    return { how: 'closes', unread };
  }
}

interface Opened {
  readonly stream: ScriptedExchange;
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns the message of an event; any other part unchanged. */
function frameOf(part: Part | undefined): unknown {
  return part?.kind === 'event' && part.event === 'message' ? JSON.parse(part.data) : part;
}
