import type { Revision } from '@tenon/mcp-protocol';
import type { ServerOptions } from '@tenon/mcp-server';
import { type HttpServing, type ServeHttpOptions, serveHttp } from '@tenon/mcp-server/http';
import { expect } from 'vitest';
import { createSubject } from '../../fixtures/hostile-server/subject.js';
import { PostingPeer } from './posting.js';
import { type RawHeaders, RawHttp } from './raw-http.js';

/** An HTTP server, its connections, and the requests that reached its handlers. */
export class HttpPlace {
  readonly serving: HttpServing;
  /** Requests that reached the server's middleware. */
  readonly handled: string[];
  /** Errors that were not sent to a client. */
  readonly errors: unknown[];
  readonly #sockets: RawHttp[] = [];
  readonly #peers: PostingPeer[] = [];

  private constructor(serving: HttpServing, handled: string[], errors: unknown[]) {
    this.serving = serving;
    this.handled = handled;
    this.errors = errors;
  }

  /** Returns and clears the errors reported to `onError`. Remaining ones fail the test on close. */
  takeErrors(): unknown[] {
    return this.errors.splice(0);
  }

  static async open(options: ServeHttpOptions = {}, server: ServerOptions = {}): Promise<HttpPlace> {
    const handled: string[] = [];
    const errors: unknown[] = [];
    const subject = createSubject({ onError: (error) => errors.push(error), ...server });
    subject.use((request, next) => {
      handled.push(request.method);
      return next();
    });
    return new HttpPlace(await serveHttp(subject, options), handled, errors);
  }

  /** Opens a connection that sends nothing by itself. */
  async socket(): Promise<RawHttp> {
    const socket = await RawHttp.open(this.serving.url);
    this.#sockets.push(socket);
    return socket;
  }

  /** Returns a well-behaved peer; not connected yet. */
  peer(revision: Revision, always: RawHeaders = {}): PostingPeer {
    const peer = new PostingPeer(revision, this.serving.url, always);
    this.#peers.push(peer);
    return peer;
  }

  /** Checks that another client is served. */
  async serves(revision: Revision): Promise<void> {
    const peer = await this.peer(revision).open();
    await peer.isServed();
    peer.close();
  }

  async close(): Promise<void> {
    for (const one of [...this.#sockets, ...this.#peers]) one.close();
    await this.serving.close();
    expect(this.errors).toEqual([]);
  }
}
