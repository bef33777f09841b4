import { type Envelope, type RequestId, TransportError } from '@tenon/mcp-protocol';
import {
  type AnswerHeaders,
  carrierFailure,
  type Departing,
  type Outbound,
  Reply,
  refusalError,
  TextBody,
} from '@tenon/mcp-transport-http/client';
import { maxIdleBytes, type SseHost } from './sse-host.js';
import { textOf } from './sse-stream.js';

/** What a POST needs of its connection. */
export interface PostHost extends SseHost {
  /** The server answered, or will not. */
  headed(post: SsePost): void;
  /** It is over, however that came. */
  finished(post: SsePost): void;
  /** The server does not know the session. */
  sessionLost(error: Error): void;
}

/** One frame to send. */
export interface Sent {
  readonly frame: string;
  readonly envelope: Envelope;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** One frame on its way to the server. What it is answered with comes by the event stream. */
export class SsePost extends Reply implements Departing {
  readonly ids: readonly RequestId[];
  protected readonly outbound: Outbound;
  readonly #host: PostHost;
  readonly #sent: Sent;
  #left: number;
  #status = 0;
  #headers: AnswerHeaders = {};
  #body: TextBody | undefined;
  #settled = false;
  #cancelWait: (() => void) | undefined;

  constructor(host: PostHost, sent: Sent) {
    super(host);
    this.#host = host;
    this.#sent = sent;
    const { id, ids } = sent.envelope;
    this.ids = ids ?? (id === undefined ? [] : [id]);
    this.#left = this.ids.length;
    this.outbound = { method: 'POST', body: sent.frame, headers: () => host.headers.post(sent.envelope) };
  }

  begin(): void {
    if (this.#left === 0) this.#wait();
    this.send();
  }

  /** An answer may overtake the word that its request was taken. */
  answered(): void {
    if (--this.#left === 0) this.#wait();
  }

  /** It was taken; only the end of what the server says to that is not there. */
  get lingering(): boolean {
    return this.#taken;
  }

  /** Nobody waits for the answer under this id any more. */
  giveUp(): void {
    if (--this.#left <= 0) this.settle();
  }

  /** Ends it: well, or with an error unless the frame was taken before. */
  settle(error?: Error): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#cancelWait?.();
    this.abort();
    this.#host.headed(this);
    this.#host.finished(this);
    if (error === undefined) this.#sent.resolve();
    else this.#sent.reject(error);
  }

  protected onHead(status: number, headers: AnswerHeaders): void {
    this.#host.headed(this);
    this.#status = status;
    this.#headers = headers;
    this.#body = new TextBody(maxIdleBytes);
    if (this.#taken) {
      this.#sent.resolve();
      this.#linger();
    } else this.#wait();
  }

  protected onChunk(bytes: Uint8Array): void {
    if (this.#body?.push(bytes) !== false) return;
    this.#body = undefined;
    this.#conclude();
  }

  protected onEnd(): void {
    this.#conclude();
  }

  protected onFailed(error: unknown): void {
    this.settle(error instanceof TypeError ? error : carrierFailure(error, this.#host.route.origin));
  }

  protected override onHeld(held: boolean): void {
    if (this.#cancelWait === undefined) return;
    this.#cancelWait();
    this.#cancelWait = undefined;
    if (!held) this.#wait();
  }

  get #taken(): boolean {
    return this.#status >= 200 && this.#status < 300;
  }

  /** From now on, the server has only so much time left. */
  #wait(): void {
    if (this.#settled || this.#cancelWait !== undefined) return;
    const { clock, limits, route } = this.#host;
    const ms = limits.acceptWaitMs;
    const message = `${route.origin} did not take a message within ${ms} ms (limit acceptWaitMs).`;
    this.#cancelWait = clock.schedule(() => this.settle(new TransportError(message)), ms);
  }

  /** Nothing more is expected. A server that forgets to end its answer must not keep the connection for long. */
  #linger(): void {
    const { clock, limits } = this.#host;
    this.#cancelWait?.();
    this.#cancelWait = clock.schedule(() => this.settle(), limits.closeWaitMs);
  }

  #conclude(): void {
    if (this.#taken) {
      this.settle();
      return;
    }
    const { origin } = this.#host.route;
    const [status, headers] = [this.#status, this.#headers];
    const { maxNesting } = this.#host.limits;
    const told = refusalError({ origin, status, headers, text: textOf(this.#body), ids: [], maxNesting });
    const lost = status === 404;
    const error = lost ? new TransportError(told.message, { status, unhandled: true }) : told;
    this.settle(error);
    if (lost) this.#host.sessionLost(error);
  }
}
