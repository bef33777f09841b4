import { detach } from '@tenon/foundation';
import type {
  Connection,
  Exchange,
  Principal,
  Receiver,
  TransportFacts,
  WorkBounds,
} from '@tenon/mcp-protocol';
import { callerName } from '@tenon/mcp-protocol/internal';
import type { HttpCall } from '@tenon/mcp-transport-http/server';
import { keepAliveText, ownerOf, streamHeaders } from '@tenon/mcp-transport-http/server/internal';

/** The context of a session. */
export interface SessionOrigin {
  readonly principal: Principal | undefined;
  /** Path that the client posts to. */
  readonly messagesPath: string;
  /** The beginning of the id. */
  readonly idPrefix: string;
  readonly openedAt: number;
  /** The clock's time when the credentials of the opening request expire; undefined for never. */
  readonly until: number | undefined;
  readonly onError: (error: unknown, where: string) => void;
  /** Called when the session has ended, from either side. */
  readonly ended: (session: SseSession) => void;
}

export interface MessageSender {
  readonly principal: Principal | undefined;
  readonly remoteAddress?: string | undefined;
}

/** One client: its event stream carries all messages to it, and the session ends with the stream. */
export class SseSession implements Connection {
  readonly needsHandshake = true;
  /** 122 random bits, so that it cannot be guessed; after the id of the process, if several share the sessions. */
  readonly id: string;
  /** The caller that it belongs to: other callers cannot find it. */
  readonly owner: string | undefined;
  readonly caller: string | undefined;
  readonly bounds: WorkBounds | undefined;
  /** The facts of the client's last request. */
  facts: TransportFacts;
  readonly openedAt: number;
  /** The time when the stream must end, unless the client sends valid credentials before. */
  #until: number | undefined;
  readonly #call: HttpCall;
  readonly #origin: SessionOrigin;
  #receiver: Receiver | undefined;
  #quiet = false;
  #over = false;

  constructor(call: HttpCall, origin: SessionOrigin) {
    this.#call = call;
    this.#origin = origin;
    this.id = `${origin.idPrefix}${crypto.randomUUID()}`;
    this.openedAt = origin.openedAt;
    this.#until = origin.until;
    this.owner = ownerOf(origin.principal);
    this.caller = callerName(origin.principal, call.remoteAddress);
    this.bounds = call.bounds;
    this.facts = factsOf(call, origin.principal);
  }

  get started(): boolean {
    return this.#receiver !== undefined;
  }

  /** The receiver of messages; undefined before start and after the end. */
  get receiver(): Receiver | undefined {
    return this.#over ? undefined : this.#receiver;
  }

  /** Opens the stream and sends the endpoint event. */
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
   * Returns the exchange of one message that the owner of the session posts: all messages leave on the stream, and the message is
   * handled with the scopes of its own request.
   * @param until - the clock's time when the credentials of the request expire.
   */
  exchange(sender: MessageSender, until: number | undefined): Exchange {
    const { principal } = sender;
    if (principal === undefined) return this;
    if (this.#until !== undefined) this.#until = until === undefined ? until : Math.max(this.#until, until);
    const facts = factsOf(sender, principal);
    this.facts = facts;
    const { bounds, caller } = this;
    return { facts, bounds, caller, send: (frame) => this.send(frame) };
  }

  /** True if all credentials that the client has sent have expired. */
  hasExpired(now: number): boolean {
    return this.#until !== undefined && now >= this.#until;
  }

  /** Sends a comment on a stream that carried nothing since the last call. */
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

function factsOf(
  { remoteAddress }: Pick<HttpCall, 'remoteAddress'>,
  principal: Principal | undefined,
): TransportFacts {
  return { principal, remoteAddress, anonymous: principal === undefined, transport: 'sse' };
}
