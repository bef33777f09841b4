import type { IncomingMessage } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import { withDefaults } from '@tenon/foundation';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { ConnectionRecorder } from '@tenon/mcp-testing/recordings';
import { defaultHttpClientLimits } from '@tenon/mcp-transport-http/client';
import { EventReader } from '@tenon/mcp-transport-http/client/internal';
import { localUrl, type ProxyAddresses } from './http-forwarding.js';
import { parsed } from './recording-file.js';

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
/** Bytes in which the endpoint event of HTTP+SSE must come. */
const mostEndpointBytes = 65_536;

/** Passes a response on, each chunk after its messages were recorded. Rewrites the endpoint event of HTTP+SSE. */
export class ResponseTap extends Transform {
  readonly #response: TappedResponse;
  readonly #events: EventReader | undefined;
  #recorder: ConnectionRecorder | undefined;
  /** True while the first event may be the endpoint event. */
  #isFirst: boolean;
  #stream: ConnectionRecorder | undefined;
  #held: Buffer[] = [];
  #size = 0;
  #isNoted = false;

  constructor(response: TappedResponse) {
    super();
    this.#response = response;
    const { answered, recorded, isPost } = response;
    this.#recorder = recorded.recorder;
    const isStream = /^text\/event-stream\b/i.test(answered.headers['content-type'] ?? '');
    this.#isFirst = isStream && !isPost;
    const limits = withDefaults(defaultHttpClientLimits, {
      maxEventChars: mostBytes,
      maxStreamBytes: Number.MAX_SAFE_INTEGER,
    });
    if (isStream)
      this.#events = new EventReader(limits, {
        event: ({ event, data }) => {
          if (event === undefined || event === 'message') this.#record(data);
        },
        retry: () => {},
      });
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#size += chunk.length;
    if (this.#isFirst) {
      this.#held.push(chunk);
      this.#release(false);
      done();
      return;
    }
    if (this.#events === undefined) {
      if (this.#size <= mostBytes) this.#held.push(chunk);
      else this.#held = [];
    } else this.#read(chunk);
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    if (this.#isFirst) this.#release(true);
    else if (this.#events === undefined) this.#finish();
    if (this.#stream !== undefined) this.#response.recorded.end(this.#stream);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (this.#stream !== undefined) this.#response.recorded.end(this.#stream);
    done(error);
  }

  /** Passes the held beginning of a stream on when its first event is complete. */
  #release(isOver: boolean): void {
    const bytes = Buffer.concat(this.#held);
    const text = bytes.toString('latin1');
    const end = /\r\n\r\n|\n\n|\r\r/.exec(text);
    if (end === null && !isOver && bytes.length <= mostEndpointBytes) return;
    this.#isFirst = false;
    this.#held = [];
    const length = end === null ? bytes.length : end.index + end[0].length;
    const first = bytes.subarray(0, length).toString();
    const isEndpoint = /^event: ?endpoint\s*$/m.test(first);
    const isComment = first.split(/[\r\n]+/).every((line) => line === '' || line.startsWith(':'));
    if (isEndpoint) this.push(this.#endpoint(first));
    else {
      this.push(bytes.subarray(0, length));
      this.#read(bytes.subarray(0, length));
      this.#isFirst = isComment && end !== null;
    }
    const rest = bytes.subarray(length);
    if (rest.length === 0) return;
    if (this.#isFirst) {
      this.#held = [rest];
      this.#release(isOver);
    } else {
      this.#read(rest);
      this.push(rest);
    }
  }

  /** Returns the endpoint event with the address at the proxy. */
  #endpoint(event: string): string {
    const { addresses, recorded } = this.#response;
    const data = /^data: ?(.*?)\s*$/m.exec(event)?.[1] ?? '';
    const local = localUrl(data, addresses);
    // The client reports an endpoint of another origin.
    if (local === undefined) return event;
    this.#stream = recorded.begin(local);
    this.#recorder = this.#stream;
    return `event: endpoint\ndata: ${local}\n\n`;
  }

  #read(chunk: Buffer): void {
    const problem = this.#events?.push(chunk);
    if (problem === undefined || this.#isNoted) return;
    this.#isNoted = true;
    this.#recorder?.message('server', problem);
  }

  #record(data: string): void {
    if (data !== '') this.#recorder?.message('server', parsed(data));
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
    const value = parsed(text);
    // An error without an id is for no request: the endpoint rejected the transport or the session.
    const isAnswer =
      Array.isArray(value) || (isObject(value) && 'jsonrpc' in value && (value.id ?? null) !== null);
    if (isAnswer || isGood) this.#recorder?.message('server', value);
  }
}
