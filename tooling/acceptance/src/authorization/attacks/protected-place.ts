import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jwtVerifier, protect, type RefusedRequest, type ResourceGuardOptions } from '@tenon/mcp-auth/server';
import type { Revision } from '@tenon/mcp-protocol';
import { toNodeHandler } from '@tenon/mcp-server/http';
import { sseNodeHandler } from '@tenon/mcp-server/sse';
import type { FakeClock } from '@tenon/mcp-testing';
import { expect } from 'vitest';
import { PostingPeer } from '../../hostile-server/posting.js';
import { type RawHeaders, RawHttp } from '../../hostile-server/raw-http.js';
import { createNotes, type Notes } from './notes.js';
import { sendJson } from './web.js';

/** A request that reached the port, handled by the server or not. */
export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
}

/** Options for the protection of a server. */
export interface PlaceSettings {
  readonly clock: FakeClock;
  /** Issuers with accepted tokens. */
  readonly issuers: readonly string[];
  /** True if tokens are for the whole origin, which the HTTP+SSE transport needs. */
  readonly whole?: boolean | undefined;
  readonly protect?: Partial<ResourceGuardOptions> | undefined;
}

/** Handles a request in place of the protected server; true if it did. */
export type Intercept = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A protected server on a port, over every HTTP transport, with a record of its requests. */
export class ProtectedPlace {
  readonly arrived: Arrived[] = [];
  readonly refused: RefusedRequest[] = [];
  readonly notes: Notes = createNotes();
  /** The audience of its tokens. */
  readonly resource: string;
  readonly origin: string;
  intercept: Intercept | undefined;
  readonly #server: Server;
  readonly #open: { close(): void }[] = [];
  readonly #drain: () => Promise<unknown>;

  private constructor(server: Server, settings: PlaceSettings) {
    const { clock, issuers, whole = false } = settings;
    this.#server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.resource = whole ? this.origin : `${this.origin}/mcp`;
    protect(this.notes.server, {
      resource: this.resource,
      authorizationServers: issuers,
      verify: jwtVerifier(),
      clock,
      onRefused: (refused) => this.refused.push(refused),
      ...settings.protect,
    });
    const limits = { drain: 1 };
    const handler = toNodeHandler(this.notes.server, { clock, limits });
    const sse = sseNodeHandler(this.notes.server, { clock });
    this.#drain = () => Promise.all([handler.drain(), sse.drain()]);
    const documents = `/.well-known/oauth-protected-resource${whole ? '' : '/mcp'}`;
    server.on('request', (request, response) => {
      const { method = '', url = '', headers } = request;
      this.arrived.push({ method, url, headers });
      if (this.intercept?.(request, response) === true) return;
      const [path = ''] = url.split('?');
      if (path === '/mcp' || path === documents) handler(request, response);
      else if (path === '/sse' || path === '/messages') sse(request, response);
      else response.writeHead(404).end();
    });
  }

  static async open(settings: PlaceSettings): Promise<ProtectedPlace> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ProtectedPlace(server, settings);
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  /** The URL of the metadata in its challenges. */
  get metadata(): string {
    return `${this.origin}/.well-known/oauth-protected-resource${this.resource === this.origin ? '' : '/mcp'}`;
  }

  /** Serves other resource metadata in place of the server's own. */
  describe(changes: Readonly<Record<string, unknown>>, issuers: readonly unknown[]): void {
    const document = { resource: this.resource, authorization_servers: issuers, ...changes };
    this.intercept = ({ url = '' }, response) => {
      if (!url.startsWith('/.well-known/oauth-protected-resource')) return false;
      sendJson(response, document);
      return true;
    };
  }

  /** Returns a peer that writes its requests by hand, with or without a token; not connected yet. */
  peer(revision: Revision, token: string | undefined, more: RawHeaders = {}): PostingPeer {
    const headers = { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...more };
    const peer = new PostingPeer(revision, this.url, headers);
    this.#open.push(peer);
    return peer;
  }

  async socket(): Promise<RawHttp> {
    const socket = await RawHttp.open(this.url);
    this.#open.push(socket);
    return socket;
  }

  /** Checks that a request with a token is served in a revision. */
  async serves(revision: Revision, token: string): Promise<void> {
    const peer = await this.peer(revision, token).open();
    expect(await peer.call('echo', { text: 'still there' })).toBe('still there');
    peer.close();
  }

  async close(): Promise<void> {
    for (const one of this.#open) one.close();
    this.#server.closeAllConnections();
    this.#server.close();
    await this.#drain();
  }
}
