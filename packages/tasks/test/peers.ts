import {
  type ClientCapabilities,
  type Connection,
  MetaKey,
  type Principal,
  type RequestId,
  type Revision,
  serverPort,
} from '@tenon/mcp-protocol';
import type { Server } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { memoryPair } from '@tenon/mcp-session/memory';
import { onTestFinished } from 'vitest';

/** Any JSON that a test looks into: every member may be an object or a list. */
export type Json = { readonly [key: string]: Json } & readonly Json[];

/** A message as it came over the wire. */
export interface WireMessage {
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: Json;
  readonly result?: Json;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Json };
}

type Params = Readonly<Record<string, unknown>>;
type AnyServer = Pick<Server, typeof serverPort>;

const clientInfo = { name: 'peer', version: '1' };

/** A client that sends raw messages, over any transport. */
export abstract class Peer {
  /** All messages of the server, in order. */
  readonly received: WireMessage[] = [];
  readonly revision: Revision;
  readonly #capabilities: ClientCapabilities;
  readonly #waiting = new Set<() => void>();
  #lastId = 0;

  constructor(revision: Revision, capabilities: ClientCapabilities) {
    this.revision = revision;
    this.#capabilities = capabilities;
  }

  /** Sends one message, and passes each message of the answer to `receive`. */
  protected abstract write(message: WireMessage): void;

  /** Sends the handshake, in revisions that have one. */
  async begin(): Promise<this> {
    if (this.revision.lifecycle === 'stateless') return this;
    const protocolVersion = this.revision.id;
    await this.request('initialize', { protocolVersion, capabilities: this.#capabilities, clientInfo });
    this.write({ method: 'notifications/initialized' });
    return this;
  }

  /** Sends a request and resolves with its response. */
  request(method: string, params: Params = {}): Promise<WireMessage> {
    const id = this.send(method, params);
    return this.next((message) => message.id === id && message.method === undefined);
  }

  /** Sends a request and returns its id. */
  send(method: string, params: Params = {}): number {
    const id = ++this.#lastId;
    const _meta = { ...this.#stamp(), ...(params._meta as object | undefined) };
    this.write({ id, method, params: { ...params, _meta } as unknown as Json });
    return id;
  }

  /** Answers a request of the server. */
  answer({ id }: WireMessage, result: object): void {
    this.write({ ...(id !== undefined && { id }), result: result as Json });
  }

  /** Rejects a request of the server. */
  reject({ id }: WireMessage, code: number, message: string): void {
    this.write({ ...(id !== undefined && { id }), error: { code, message } });
  }

  /** Cancels a request. */
  cancel(requestId: number): void {
    this.write({
      method: 'notifications/cancelled',
      params: { requestId, _meta: this.#stamp() } as unknown as Json,
    });
  }

  /** Resolves with the first message, past or to come, that fits. */
  async next(wanted: (message: WireMessage) => boolean): Promise<WireMessage> {
    for (;;) {
      const found = this.received.find(wanted);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Resolves with the message of a method that has this position among those of the method, from 0. */
  async heard(method: string, position = 0): Promise<WireMessage> {
    const found = () => this.all(method)[position];
    return this.next((message) => message === found());
  }

  /** The messages of a method so far. */
  all(method: string): readonly WireMessage[] {
    return this.received.filter((message) => message.method === method);
  }

  #stamp(): object {
    if (this.revision.lifecycle !== 'stateless') return {};
    return {
      [MetaKey.protocolVersion]: this.revision.id,
      [MetaKey.clientCapabilities]: this.#capabilities,
    };
  }

  protected receive(message: WireMessage): undefined {
    this.received.push(message);
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }
}

/** A peer in memory. */
export class MemoryPeer extends Peer {
  readonly connection: Connection;

  constructor(server: AnyServer, revision: Revision, options: PeerOptions) {
    super(revision, options.capabilities);
    const [ours, theirs] = memoryPair();
    const { principal } = options;
    server[serverPort].accept(principal === undefined ? ours : withPrincipal(ours, principal));
    this.connection = theirs;
    theirs.start({
      receive: (message) => this.receive(message as WireMessage),
      malformed: () => undefined,
      closed: () => undefined,
    });
  }

  protected write(message: WireMessage): void {
    void this.connection.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }
}

/** A peer over HTTP. Each request is one POST; a session also reads the stream of its own. */
export class HttpPeer extends Peer {
  readonly #url: string;
  readonly #over = new AbortController();
  #session: Record<string, string> = {};
  /** Replace the standard headers of each message. */
  headers: Record<string, string> = {};

  constructor(url: string, revision: Revision, { capabilities }: PeerOptions) {
    super(revision, capabilities);
    this.#url = url;
    onTestFinished(() => this.#over.abort());
  }

  /** Opens the stream of a session for messages that belong to no request. */
  listen(): void {
    this.#read(this.#fetch({ headers: { accept: 'text/event-stream', ...this.#session } }));
  }

  protected write(message: WireMessage): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    const all = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...this.#session,
      ...this.#standard(message),
      ...this.headers,
    };
    this.#read(this.#fetch({ method: 'POST', body, headers: all }));
  }

  #standard({ method, params }: WireMessage): Record<string, string> {
    if (this.revision.lifecycle !== 'stateless' || method === undefined) return {};
    const name = (params?.taskId ?? params?.name) as string | undefined;
    const named = name === undefined ? {} : { 'mcp-name': name };
    return { 'mcp-protocol-version': this.revision.id, 'mcp-method': method, ...named };
  }

  #fetch(init: RequestInit): Promise<Response> {
    return fetch(this.#url, { ...init, signal: this.#over.signal });
  }

  #read(response: Promise<Response>): void {
    const failed = (error: unknown) => {
      if (!this.#over.signal.aborted) throw error;
    };
    this.#messages(response).catch(failed);
  }

  async #messages(given: Promise<Response>): Promise<void> {
    const response = await given;
    const session = response.headers.get('mcp-session-id');
    if (session !== null)
      this.#session = { 'mcp-session-id': session, 'mcp-protocol-version': this.revision.id };
    const isStream = response.headers.get('content-type') === 'text/event-stream';
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk as Uint8Array).toString();
      if (!isStream) continue;
      const end = text.lastIndexOf('\n\n') + 2;
      for (const line of text.slice(0, end).split('\n'))
        if (/^data: ./.test(line)) this.receive(JSON.parse(line.slice(6)));
      text = text.slice(end);
    }
    if (!isStream && text !== '') this.receive(JSON.parse(text));
  }
}

/** The options of a peer. */
export interface PeerOptions {
  readonly capabilities: ClientCapabilities;
  /** The caller that the transport has authenticated; only in memory. */
  readonly principal?: Principal;
}

/** Serves over HTTP at 127.0.0.1, and connects a peer. */
export async function overHttp(server: Server, revision: Revision, options: PeerOptions): Promise<HttpPeer> {
  const serving = await serveHttp(server, { limits: { drain: 100 } });
  onTestFinished(() => serving.close());
  return new HttpPeer(serving.url, revision, options).begin();
}

/** Returns a connection in memory with a caller. */
function withPrincipal(inner: Connection, principal: Principal): Connection {
  const connection: Connection = {
    facts: { ...inner.facts, principal },
    start: (receiver) =>
      inner.start({
        receive: (value) => receiver.receive(value, connection),
        malformed: (reason, _exchange, unread) => receiver.malformed(reason, connection, unread),
        closed: (reason) => receiver.closed(reason),
      }),
    send: (frame, envelope) => inner.send(frame, envelope),
    close: () => inner.close(),
  };
  return connection;
}
