import type {
  CarrierFacts,
  Connection,
  Exchange,
  Principal,
  Receiver,
  WorkBounds,
} from '@tenon/mcp-protocol';
import { detach } from '@tenon/mcp-protocol/internal';
import type { HttpCall } from '@tenon/mcp-transport-http/server';
import {
  callerOf,
  isAnonymous,
  keepAliveText,
  ownerOf,
  streamHeaders,
} from '@tenon/mcp-transport-http/server/internal';

/** Where a session comes from. */
export interface SessionOrigin {
  readonly principal: Principal | undefined;
  /** Path that its client posts to. */
  readonly messagesPath: string;
  readonly openedAt: number;
  /** What the clock shows when that expires which its client showed; undefined for never. */
  readonly until: number | undefined;
  readonly onError: (error: unknown, where: string) => void;
  /** The session is over, whoever ended it. */
  readonly ended: (session: SseSession) => void;
}

/** One client: its event stream carries everything to it, and the session ends with the stream. */
export class SseSession implements Connection {
  readonly needsHandshake = true;
  /** 122 random bits: nobody guesses it. */
  readonly id: string = crypto.randomUUID();
  /** Whom it belongs to: nobody else finds it. */
  readonly owner: string | undefined;
  readonly caller: string | undefined;
  readonly bounds: WorkBounds | undefined;
  /** With what its client has shown last. */
  facts: CarrierFacts;
  readonly openedAt: number;
  /** When the stream must end, unless its client shows something fresh until then. */
  #until: number | undefined;
  readonly #call: HttpCall;
  readonly #origin: SessionOrigin;
  #receiver: Receiver | undefined;
  #quiet = false;
  #over = false;

  constructor(call: HttpCall, origin: SessionOrigin) {
    this.#call = call;
    this.#origin = origin;
    this.openedAt = origin.openedAt;
    this.#until = origin.until;
    this.owner = ownerOf(origin.principal);
    this.caller = callerOf(origin.principal, call.remoteAddress);
    this.bounds = call.bounds;
    this.facts = factsOf(call, origin.principal);
  }

  get started(): boolean {
    return this.#receiver !== undefined;
  }

  /** The end that messages are delivered to; undefined before the start and once the session is over. */
  get receiver(): Receiver | undefined {
    return this.#over ? undefined : this.#receiver;
  }

  /** Opens the stream and says where to post. */
  start(receiver: Receiver): void {
    this.#receiver = receiver;
    this.#call.open(streamHeaders);
    this.#write(`event: endpoint\ndata: ${this.#origin.messagesPath}?sessionId=${this.id}\n\n`);
    this.#call.onGone(() => this.#gone());
  }

  send(frame: string): Promise<void> | undefined {
    if (this.#over) return undefined;
    this.#quiet = false;
    return this.#call.write(`event: message\ndata: ${frame}\n\n`);
  }

  /**
   * The way back for one message that the owner of the session posts: everything leaves on the stream, and the message is
   * handled with the scopes that its own request has shown.
   * @param until - what the clock shows when that expires which came with it.
   */
  exchange(call: HttpCall, principal: Principal | undefined, until: number | undefined): Exchange {
    if (principal === undefined) return this;
    if (this.#until !== undefined) this.#until = until === undefined ? until : Math.max(this.#until, until);
    const facts = factsOf(call, principal);
    this.facts = facts;
    const { bounds, caller } = this;
    return { facts, bounds, caller, send: (frame) => this.send(frame) };
  }

  /** True once everything has expired that its client has shown. */
  hasExpired(now: number): boolean {
    return this.#until !== undefined && now >= this.#until;
  }

  /** Keeps a stream alive that carried nothing since the last call. */
  keepAlive(): void {
    if (this.#quiet) this.#write(keepAliveText);
    this.#quiet = true;
  }

  close(): Promise<void> {
    if (!this.#over) {
      this.#end();
      this.#call.end();
    }
    return Promise.resolve();
  }

  #write(text: string): void {
    detach(this.#call.write(text), (error) => this.#origin.onError(error, 'sse'));
  }

  #gone(): void {
    if (this.#over) return;
    const receiver = this.#receiver;
    this.#end();
    receiver?.closed();
  }

  #end(): void {
    this.#over = true;
    this.#origin.ended(this);
  }
}

function factsOf(call: HttpCall, principal: Principal | undefined): CarrierFacts {
  const { remoteAddress } = call;
  return { principal, remoteAddress, anonymous: isAnonymous(call, principal) };
}
