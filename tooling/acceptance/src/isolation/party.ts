import { deepStrictEqual } from 'node:assert/strict';
import type { Peer } from '../transcripts/replay.js';

type Params = Readonly<Record<string, unknown>>;

/** One of two clients of the same server, which takes offence at everything that is meant for the other. */
export class Party {
  readonly who: string;
  readonly revision: string;
  readonly #peer: Peer;
  readonly #other: string;

  constructor(who: 'ann' | 'bob', revision: string, peer: Peer) {
    this.who = who;
    this.revision = revision;
    this.#peer = peer;
    this.#other = who === 'ann' ? 'bob' : 'ann';
  }

  /** Requests stand for themselves: there is no session, and nobody can be asked. */
  get stateless(): boolean {
    return this.revision >= '2026-07-28';
  }

  /** Opens a session, where there are sessions. */
  async open(): Promise<void> {
    if (this.stateless) return;
    const clientInfo = { name: this.who, version: '1.0.0' };
    const params = { protocolVersion: this.revision, capabilities, clientInfo };
    await this.#send({ id: 1, method: 'initialize', params });
    await this.hears({ id: 1, result: { protocolVersion: this.revision } });
    await this.notifies('notifications/initialized');
  }

  /** Sends a request. */
  async asks(id: number, method: string, { _meta, ...params }: Params = {}): Promise<void> {
    const meta = { ...(this.stateless && stamp), ...(_meta as Params | undefined) };
    await this.#send({ id, method, params: { ...params, _meta: meta } });
  }

  /** Calls a tool for whoever this is, under a token that the other one uses as well. */
  calls(id: number, name: string, more: Params = {}): Promise<void> {
    const _meta = { progressToken: 'token', 'io.modelcontextprotocol/logLevel': 'debug' };
    return this.asks(id, 'tools/call', { name, arguments: { who: this.who }, _meta, ...more });
  }

  /** Answers a request of the server. */
  answers(id: unknown, result: Params): Promise<void> {
    return this.#send({ id, result });
  }

  notifies(method: string, params: Params = {}): Promise<void> {
    return this.#send({ method, params });
  }

  /**
   * Waits for a frame that has at least these members.
   * @throws Error for one that has not, and for one that names the other client.
   */
  async hears(wanted: Params): Promise<Params> {
    const frame = await this.#peer.next((one) => isWithin(wanted, one));
    this.#check(frame);
    if (!isWithin(wanted, frame)) {
      throw new Error(`${this.who} heard ${JSON.stringify(frame)}, not ${JSON.stringify(wanted)}`);
    }
    return frame as Params;
  }

  /** The same for several frames, in any order: they may come on different streams. */
  async hearsAll(wanted: readonly Params[]): Promise<void> {
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

  /** Asks something that must be answered, so that whatever was sent before has come, and leaves. */
  async leaves(): Promise<void> {
    await this.asks(1_000, 'resources/read', { uri: `note://${this.who}` });
    await this.hears({ id: 1_000 });
    const { how, unread } = await this.#peer.end();
    deepStrictEqual({ how, unread }, { how: 'closes', unread: [] }, `${this.who} heard something more`);
  }

  #send(message: Params): Promise<void> {
    return Promise.resolve(this.#peer.send([JSON.stringify({ jsonrpc: '2.0', ...message })]));
  }

  #check(frame: unknown): void {
    const text = JSON.stringify(frame) ?? '';
    if (text.includes(this.#other)) throw new Error(`${this.who} heard what is for ${this.#other}: ${text}`);
  }
}

const capabilities = { elicitation: {}, sampling: {}, roots: {} };

const stamp: Params = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': capabilities,
};

/** Tells whether a value has at least what another has. */
function isWithin(wanted: unknown, actual: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return Object.is(wanted, actual);
  if (typeof actual !== 'object' || actual === null) return false;
  return Object.entries(wanted).every(([key, value]) => isWithin(value, (actual as Params)[key]));
}
