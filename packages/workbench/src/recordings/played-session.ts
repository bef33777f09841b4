import { detach } from '@tenon/foundation';
import {
  type Answer,
  type Connection,
  type Exchange,
  findRevision,
  MetaKey,
  type Revision,
} from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import { idsIn } from './http-sessions.js';

/** A request of the client that the played server has not answered. */
interface Pending {
  readonly exchange: Exchange;
  readonly token: unknown;
  readonly answer: (frame: string) => void;
}

/** Requests that may wait at the same time; further ones are answered with an error. */
const mostPending = 10_000;

/** Connects a client with a recorded server. A client that deviates gets the difference as the error of its requests. */
export class PlayedSession {
  readonly #played: Connection;
  readonly #outer: Connection | undefined;
  readonly #pending = new Map<string, Pending>();
  readonly #seen = new Set<string>();
  #failure: string | undefined;

  /**
   * @param played - the recorded server
   * @param outer - the connection of the client; undefined for messages outside sessions
   */
  constructor(played: Connection, outer: Connection | undefined) {
    this.#played = played;
    this.#outer = outer;
    played.start({
      receive: (value) => {
        this.#deliver(value);
        return undefined;
      },
      malformed: () => undefined,
      closed: (reason) => this.#ended(reason),
    });
  }

  /** Requests that wait for their answer. */
  get inFlight(): number {
    return this.#pending.size;
  }

  /** True if a message can be of the same client as the earlier ones: the session goes on, and the id is new. */
  fits(message: unknown): boolean {
    return this.#failure === undefined && !keysIn(message).some((id) => this.#seen.has(id));
  }

  /** Handles a message of the client. */
  receive(value: unknown, exchange: Exchange): Answer {
    const ids = keysIn(value);
    const [first] = ids;
    if (this.#failure !== undefined) return first === undefined ? undefined : errorOf(value, this.#failure);
    if (this.#pending.size >= mostPending) return errorOf(value, 'Too many requests wait for an answer.');
    for (const id of ids) this.#seen.add(id);
    const answer =
      first === undefined
        ? undefined
        : new Promise<string>((resolve) => {
            this.#pending.set(first, { exchange, token: tokenIn(value), answer: resolve });
          });
    this.#send(value);
    return answer;
  }

  /** Handles text of the client that is not a message. */
  malformed(reason: string): Answer {
    if (this.#failure === undefined) this.#send(reason);
    return undefined;
  }

  /** Ends the session of the client. */
  async close(): Promise<void> {
    this.#pending.clear();
    await this.#played.close();
  }

  #send(value: unknown): void {
    const sent = this.#played.send(JSON.stringify(value));
    if (sent !== undefined) detach(sent, () => {});
  }

  #deliver(value: unknown): void {
    const frame = JSON.stringify(value);
    const answered = answeredIn(value);
    const pending = answered === undefined ? undefined : this.#pending.get(answered);
    if (answered !== undefined && pending !== undefined) {
      this.#pending.delete(answered);
      this.#settle(value);
      pending.answer(frame);
      return;
    }
    const exchange = this.#exchangeFor(value);
    const sent =
      exchange === undefined ? this.#outer?.send(frame, { unrelated: true }) : exchange.send(frame);
    if (sent !== undefined) detach(sent, () => {});
  }

  /** Passes the negotiated revision to the transport. */
  #settle(value: unknown): void {
    const result = isObject(value) ? value.result : undefined;
    const version = isObject(result) ? result.protocolVersion : undefined;
    const revision: Revision | undefined = typeof version === 'string' ? findRevision(version) : undefined;
    if (revision !== undefined) this.#outer?.settled?.(revision, { clientCapabilities: {} });
  }

  /** Returns the exchange of the request that a message belongs to. */
  #exchangeFor(value: unknown): Exchange | undefined {
    const params = isObject(value) && isObject(value.params) ? value.params : {};
    const meta = isObject(params._meta) ? params._meta : {};
    const subscription = this.#pending.get(JSON.stringify(meta[MetaKey.subscriptionId]) ?? '');
    if (subscription !== undefined) return subscription.exchange;
    const all = [...this.#pending.values()];
    const ofToken = all.find(({ token }) => token !== undefined && token === params.progressToken);
    return (ofToken ?? all.at(-1))?.exchange;
  }

  #ended(reason: Error | undefined): void {
    this.#failure = reason?.message ?? 'The recorded server closed the connection here.';
    for (const [id, { answer }] of this.#pending) answer(errorOf({ id: JSON.parse(id) }, this.#failure));
    this.#pending.clear();
    const outer = this.#outer;
    if (reason === undefined && outer !== undefined) detach(outer.close(), () => {});
  }
}

/** Returns the ids of the requests in a frame, as JSON. */
function keysIn(value: unknown): readonly string[] {
  return idsIn(value).map((id) => JSON.stringify(id));
}

/** Returns the id of the request that a frame answers, as JSON. */
function answeredIn(value: unknown): string | undefined {
  const list = Array.isArray(value) ? value : [value];
  const answer = list.find((one) => isObject(one) && one.method === undefined && one.id !== undefined);
  return answer === undefined ? undefined : JSON.stringify((answer as { id: unknown }).id);
}

function tokenIn(value: unknown): unknown {
  return Object(Object(Object(value).params)._meta).progressToken;
}

function errorOf(request: unknown, message: string): string {
  const [first] = Array.isArray(request) ? request : [request];
  const id = isObject(first) ? (first.id ?? null) : null;
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_603, message } });
}
