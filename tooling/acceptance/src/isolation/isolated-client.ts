import { deepStrictEqual } from 'node:assert/strict';
import type { Peer } from '../transcripts/replay.js';

type Params = Readonly<Record<string, unknown>>;

/** One of two clients of a server, which fails on messages for the other one. */
export class IsolatedClient {
  readonly who: string;
  readonly revision: string;
  readonly #peer: Peer;
  readonly #other: string;
  readonly #otherName: RegExp;

  constructor(who: 'ann' | 'bob', revision: string, peer: Peer) {
    this.who = who;
    this.revision = revision;
    this.#peer = peer;
    this.#other = who === 'ann' ? 'bob' : 'ann';
    this.#otherName = new RegExp(`(?<![A-Za-z0-9_])${this.#other}(?![A-Za-z0-9_])`);
  }

  /** True if the revision has no sessions: the server cannot send requests to the client. */
  get stateless(): boolean {
    return this.revision >= '2026-07-28';
  }

  /** Opens a session, if the revision has sessions. */
  async open(): Promise<void> {
    if (this.stateless) return;
    const clientInfo = { name: this.who, version: '1.0.0' };
    const params = { protocolVersion: this.revision, capabilities, clientInfo };
    await this.#send({ id: 1, method: 'initialize', params });
    await this.receives({ id: 1, result: { protocolVersion: this.revision } });
    await this.notifies('notifications/initialized');
  }

  /** Sends a request. */
  async asks(id: number, method: string, { _meta, ...params }: Params = {}): Promise<void> {
    const meta = { ...(this.stateless && stamp), ...(_meta as Params | undefined) };
    await this.#send({ id, method, params: { ...params, _meta: meta } });
  }

  /** Calls a tool under a progress token that the other client also uses. */
  calls(id: number, name: string, more: Params = {}): Promise<void> {
    const _meta = { progressToken: 'token', 'io.modelcontextprotocol/logLevel': 'debug' };
    return this.asks(id, 'tools/call', { name, arguments: { who: this.who }, _meta, ...more });
  }

  /** Responds to a request of the server. */
  answers(id: unknown, result: Params): Promise<void> {
    return this.#send({ id, result });
  }

  notifies(method: string, params: Params = {}): Promise<void> {
    return this.#send({ method, params });
  }

  /**
   * Waits for a frame that contains these members.
   * @throws Error if another frame arrives, or one that names the other client
   */
  async receives(wanted: Params): Promise<Params> {
    const frame = await this.#peer.next((one) => isWithin(wanted, one));
    this.#check(frame);
    if (!isWithin(wanted, frame)) {
      throw new Error(`${this.who} heard ${JSON.stringify(frame)}, not ${JSON.stringify(wanted)}`);
    }
    return frame as Params;
  }

  /** Waits for several frames, in any order: they may arrive on different streams. */
  async receivesAll(wanted: readonly Params[]): Promise<void> {
    const left = [...wanted];
    while (left.length > 0) {
      const frame = await this.#peer.next((one) => left.some((some) => isWithin(some, one)));
      this.#check(frame);
      const found = left.findIndex((some) => isWithin(some, frame));
      if (found < 0)
        throw new Error(`${this.who} heard ${JSON.stringify(frame)}, not ${JSON.stringify(left)}`);
      left.splice(found, 1);
    }
  }

  /** Sends a last request, so that earlier messages have arrived by its response, and closes. */
  async leaves(): Promise<void> {
    await this.asks(1_000, 'resources/read', { uri: `note://${this.who}` });
    await this.receives({ id: 1_000 });
    const { how, unread } = await this.#peer.end();
    deepStrictEqual({ how, unread }, { how: 'closes', unread: [] }, `${this.who} heard something more`);
  }

  #send(message: Params): Promise<void> {
    return Promise.resolve(this.#peer.send([JSON.stringify({ jsonrpc: '2.0', ...message })]));
  }

  #check(frame: unknown): void {
    const text = JSON.stringify(frame) ?? '';
    // As a word: three letters in a row may be in sealed state by chance.
    if (this.#otherName.test(text)) throw new Error(`${this.who} heard what is for ${this.#other}: ${text}`);
  }
}

const capabilities = { elicitation: {}, sampling: {}, roots: {} };

const stamp: Params = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': capabilities,
};

/** True if a value contains all members of another. */
function isWithin(wanted: unknown, actual: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return Object.is(wanted, actual);
  if (typeof actual !== 'object' || actual === null) return false;
  return Object.entries(wanted).every(([key, value]) => isWithin(value, (actual as Params)[key]));
}
