import {
  type Answer,
  type Connection,
  type Exchange,
  latestHandshake,
  type Receiver,
  type SessionSettings,
  type SharedSessionPort,
  serverPort,
} from '@tenon/mcp-protocol';
import type { Server } from '../src/server.js';
import type { SharedEndpoint } from '../src/sharing/shared-endpoint.js';
import type { WireMessage } from './wire-peer.js';

/** The stored settings of a session, and the failure of the next attempt to store them. */
export interface StoredSettings {
  settings: SessionSettings;
  failure?: Error | undefined;
}

/** A session that several processes serve, as an HTTP transport takes it up in one of them. */
export class SharedSession implements Connection, SharedSessionPort {
  readonly facts: Exchange['facts'] = {};
  readonly received: WireMessage[] = [];
  readonly end: SharedEndpoint;
  readonly #stored: StoredSettings;
  isServedElsewhere = false;
  readonly idPrefix = 'test-';
  readonly lacksStream = false;
  shared: SharedSessionPort | undefined = this;
  session: string | undefined;
  #receiver: Receiver | undefined;
  #lastId = 0;

  /** @param isNew - true if the client is to send its handshake to this process. */
  constructor(server: Server, stored: StoredSettings = { settings: {} }, isNew = false) {
    this.#stored = stored;
    const peer = { clientCapabilities: {} };
    const { settings } = stored;
    const revision =
      server[serverPort].revisions.find((one) => one.id === latestHandshake.id) ?? latestHandshake;
    const settled = isNew ? undefined : { revision, peer, settings };
    this.end = server[serverPort].accept(this, settled) as SharedEndpoint;
  }

  start(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  async saveSettings(change: (settings: SessionSettings) => SessionSettings): Promise<void> {
    // As if another process had changed them at the same time.
    change(this.#stored.settings);
    const settings = change(this.#stored.settings);
    await undefined;
    if (this.#stored.failure !== undefined) throw this.#stored.failure;
    this.#stored.settings = settings;
    this.end.adopt(settings);
  }

  send(frame: string): undefined {
    this.received.push(JSON.parse(frame));
  }

  async close(): Promise<void> {
    this.#receiver?.closed();
  }

  /** Sends a request and returns its response. */
  async request(method: string, params: object = {}): Promise<WireMessage> {
    const answer = await this.answer(method, params);
    return JSON.parse(answer ?? 'null');
  }

  /** Sends a request and returns its response as the transport receives it. */
  answer(method: string, params: object = {}): Answer {
    return this.#receiver?.receive({ jsonrpc: '2.0', id: ++this.#lastId, method, params }, this);
  }
}
