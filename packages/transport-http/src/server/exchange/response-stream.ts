import { detach } from '@tenon/mcp-protocol/internal';
import type { HttpCall } from '../endpoint/http-call.js';
import { eventText, keepAliveText, streamHeaders } from '../streams/event-text.js';
import type { AnswerStream, ExchangePolicy } from './http-exchange.js';

/** The event stream of a POST outside sessions. It ends with its connection, and cannot be resumed. */
export class ResponseStream implements AnswerStream {
  readonly #call: HttpCall;
  readonly #onError: ExchangePolicy['onError'];

  constructor(call: HttpCall, onError: ExchangePolicy['onError']) {
    this.#call = call;
    this.#onError = onError;
    call.open(streamHeaders);
  }

  send(frame: string): Promise<void> | undefined {
    return this.#call.write(eventText(frame));
  }

  finish(frame: string | undefined): void {
    this.#call.end(frame === undefined ? undefined : eventText(frame));
  }

  keepOpen(): void {
    detach(this.#call.write(keepAliveText), (error) => this.#onError(error, 'http'));
  }
}
