import {
  type ClientCapabilities,
  type Connection,
  type Contract,
  latestHandshake,
  latestStateless,
  MetaKey,
  type RequestId,
  type Revision,
  revisions,
} from '@tenon/mcp-protocol';
import { serveMemory } from '../src/memory.js';
import type { Server } from '../src/server.js';

/** A message as it came over the wire. */
export interface WireMessage {
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: Json;
  readonly result?: Json;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Json };
}

/** Whatever JSON a test looks into: every member may be an object or a list. */
export type Json = { readonly [key: string]: Json } & readonly Json[];

/** All revisions, for tests that hold in each. */
export const everyRevision: readonly Revision[] = revisions;

/** Those that begin with a handshake. */
export const handshakeRevisions: readonly Revision[] = revisions.filter(
  (one) => one.lifecycle === 'handshake',
);

export { latestHandshake, latestStateless };

/** A client that speaks raw messages, so that tests see what is on the wire and nothing else. */
export class WirePeer {
  readonly received: WireMessage[] = [];
  /** Resolves when the server has ended the connection. */
  readonly gone: Promise<void>;
  readonly #connection: Connection;
  readonly #revision: Revision;
  readonly #capabilities: ClientCapabilities;
  readonly #waiting = new Set<{
    wanted: (message: WireMessage) => boolean;
    resolve: (message: WireMessage) => void;
  }>();
  #lastId = 0;

  private constructor(connection: Connection, revision: Revision, capabilities: ClientCapabilities) {
    this.#connection = connection;
    this.#revision = revision;
    this.#capabilities = capabilities;
    this.gone = new Promise((resolve) => {
      connection.start({
        receive: (value) => this.#receive(value as WireMessage),
        malformed: () => undefined,
        closed: () => resolve(),
      });
    });
  }

  /** A peer that has finished its handshake, in revisions that have one. */
  static async open<C extends Contract>(
    server: Server<C>,
    revision: Revision = latestHandshake,
    capabilities: ClientCapabilities = {},
  ): Promise<WirePeer> {
    const peer = new WirePeer(serveMemory(server), revision, capabilities);
    if (revision.lifecycle === 'stateless') return peer;
    const clientInfo = { name: 'peer', version: '1' };
    await peer.request('initialize', { protocolVersion: revision.id, capabilities, clientInfo });
    peer.notify('notifications/initialized');
    return peer;
  }

  /** Sends a request and resolves with the whole response. */
  async request(method: string, params: object = {}, meta: object = {}): Promise<WireMessage> {
    return this.#answerTo(this.send(method, params, meta));
  }

  /** Sends a request without waiting; gives its id. */
  send(method: string, params: object = {}, meta: object = {}): number {
    const id = ++this.#lastId;
    const stamp =
      this.#revision.lifecycle === 'stateless'
        ? { [MetaKey.protocolVersion]: this.#revision.id, [MetaKey.clientCapabilities]: this.#capabilities }
        : {};
    const _meta = { ...stamp, ...meta };
    this.raw({
      jsonrpc: '2.0',
      id,
      method,
      params: Object.keys(_meta).length === 0 ? params : { ...params, _meta },
    });
    return id;
  }

  notify(method: string, params: object = {}): void {
    this.raw({ jsonrpc: '2.0', method, params });
  }

  /** Answers a request of the server. */
  answer(id: RequestId | undefined, result: object): void {
    this.raw({ jsonrpc: '2.0', id, result });
  }

  raw(message: object): void {
    void this.#connection.send(JSON.stringify(message));
  }

  /** The first message, past or to come, that fits. */
  next(wanted: (message: WireMessage) => boolean): Promise<WireMessage> {
    const past = this.received.find(wanted);
    if (past !== undefined) return Promise.resolve(past);
    return new Promise((resolve) => this.#waiting.add({ wanted, resolve }));
  }

  /** The first notification or request of that method. */
  heard(method: string): Promise<WireMessage> {
    return this.next((message) => message.method === method);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  #answerTo(id: number): Promise<WireMessage> {
    return this.next((message) => message.id === id && message.method === undefined);
  }

  #receive(message: WireMessage): undefined {
    this.received.push(message);
    for (const waiter of this.#waiting) {
      if (!waiter.wanted(message)) continue;
      this.#waiting.delete(waiter);
      waiter.resolve(message);
    }
  }
}
