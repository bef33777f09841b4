import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import { jsonIn } from '@tenon/foundation';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { ConnectionRecorder } from '@tenon/mcp-testing/recordings';
import { EventSplitter, type StreamEvent } from '../forwarding/event-splitter.js';
import { isEventStream } from '../forwarding/pass-on.js';
import { localUrl, type ProxyAddresses } from './http-forwarding.js';

/** The place where the messages of a response are recorded. */
export interface Recorded {
  readonly recorder: ConnectionRecorder | undefined;
  /** Begins the connection of an event stream of HTTP+SSE. @param endpoint - the path and query at the proxy for messages of the client */
  begin(endpoint: string): ConnectionRecorder;
  /** Ends the connection of such a stream. */
  end(recorder: ConnectionRecorder): void;
}

/** The response to pass on. */
interface TappedResponse {
  readonly answered: IncomingMessage;
  readonly recorded: Recorded;
  readonly addresses: ProxyAddresses;
  readonly isPost: boolean;
}

/** Bytes of the longest response or event that is recorded; longer ones are passed on, and a note is recorded. */
const mostBytes = 64 << 20;

/** Passes a response on, each event or chunk after its messages were recorded. Rewrites the endpoint event of HTTP+SSE. */
export class ResponseTap extends Transform {
  readonly #response: TappedResponse;
  /** Undefined for a response that is not a stream. */
  readonly #events: EventSplitter | undefined;
  #recorder: ConnectionRecorder | undefined;
  /** True while the first event may be the endpoint event. */
  #isFirst: boolean;
  #stream: ConnectionRecorder | undefined;
  #held: Buffer[] = [];
  #size = 0;
  /** True after a problem that was recorded in place of the messages. */
  #isNoted = false;

  constructor(response: TappedResponse) {
    super();
    this.#response = response;
    const { answered, recorded, isPost } = response;
    this.#recorder = recorded.recorder;
    this.#events = isEventStream(answered) ? new EventSplitter(mostBytes) : undefined;
    this.#isFirst = !isPost;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    if (this.#events !== undefined && !this.#isNoted) {
      this.#pass(chunk, this.#events);
      done();
      return;
    }
    this.#size += chunk.length;
    if (this.#size <= mostBytes) this.#held.push(chunk);
    else this.#held = [];
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    if (this.#events === undefined) this.#finish();
    else this.push(this.#events.end());
    this.#end();
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#end();
    done(error);
  }

  #end(): void {
    if (this.#stream !== undefined) this.#response.recorded.end(this.#stream);
  }

  #pass(chunk: Buffer, events: EventSplitter): void {
    try {
      for (const event of events.push(chunk)) this.push(this.#passed(event));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#note(error.message);
      this.push(events.end());
    }
  }

  /** Records an event, and returns the bytes to pass on. */
  #passed({ bytes, event, data }: StreamEvent): Buffer | string {
    const isFirst = this.#isFirst;
    // Comments may come before the endpoint.
    if (event !== undefined || data !== undefined) this.#isFirst = false;
    if (event === 'endpoint' && isFirst) return this.#endpoint(data ?? '') ?? bytes;
    if (!isUtf8(bytes)) this.#note('The stream is not UTF-8.');
    else if ((event ?? 'message') === 'message' && data !== undefined && data !== '')
      this.#recorder?.message('server', jsonIn(data, data));
    return bytes;
  }

  /** Returns the endpoint event with the address at the proxy; undefined for another origin, which the client reports. */
  #endpoint(data: string): string | undefined {
    const { addresses, recorded } = this.#response;
    const local = localUrl(data.trim(), addresses);
    if (local === undefined) return undefined;
    this.#stream = recorded.begin(local);
    this.#recorder = this.#stream;
    return `event: endpoint\ndata: ${local}\n\n`;
  }

  #note(problem: string): void {
    if (!this.#isNoted) this.#recorder?.message('server', problem);
    this.#isNoted = true;
  }

  /** Records the body of a response that is not a stream. */
  #finish(): void {
    const { answered, isPost } = this.#response;
    // 202 has no message; a body is a text for people.
    const isGood = answered.statusCode === 200;
    if (this.#size > mostBytes)
      this.#recorder?.message('server', `A response of ${this.#size} bytes was too long to record.`);
    if (!isPost || this.#held.length === 0) return;
    const text = Buffer.concat(this.#held).toString();
    const value = jsonIn(text, text);
    // An error without an id is for no request: the endpoint rejected the transport or the session.
    const isAnswer =
      Array.isArray(value) || (isObject(value) && 'jsonrpc' in value && (value.id ?? null) !== null);
    if (isAnswer || isGood) this.#recorder?.message('server', value);
  }
}
