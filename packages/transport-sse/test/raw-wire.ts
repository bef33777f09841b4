import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** A complete answer. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The settings of a raw request. */
export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

async function begun(
  url: string,
  { method = 'GET', headers = {}, body }: RawRequest,
): Promise<IncomingMessage> {
  const outgoing = request(url, { method, headers, agent: false });
  // A server may answer and close before it has read the complete body.
  outgoing.on('error', () => undefined);
  outgoing.end(body);
  const [response] = await once(outgoing, 'response');
  return response as IncomingMessage;
}

/** Makes one request, and reads its complete answer. */
export async function raw(url: string, given: RawRequest = {}): Promise<RawAnswer> {
  const response = await begun(url, given);
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}

/** Posts one message as JSON, without an Accept header, like old clients do. */
export function post(url: string, message: unknown, headers: RawRequest['headers'] = {}): Promise<RawAnswer> {
  return raw(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
}

/** An event stream as raw text. */
export class RawStream {
  /** Received blocks, without their final empty line. */
  readonly blocks: string[] = [];
  /** Resolves when no more data will arrive. */
  readonly ended: Promise<void>;
  readonly #url: string;
  readonly #response: IncomingMessage;
  readonly #waiting = new Set<() => void>();
  #rest = '';

  private constructor(url: string, response: IncomingMessage) {
    this.#url = url;
    this.#response = response;
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => this.#take(chunk));
    response.on('error', () => undefined);
    this.ended = once(response, 'close').then(() => undefined);
  }

  static async open(url: string, headers: RawRequest['headers'] = {}): Promise<RawStream> {
    return new RawStream(url, await begun(url, { headers }));
  }

  get status(): number {
    return this.#response.statusCode ?? 0;
  }

  get headers(): IncomingHttpHeaders {
    return this.#response.headers;
  }

  /** Returns the block with that number, counted from 1; waits for it. */
  async block(number: number): Promise<string> {
    for (;;) {
      const block = this.blocks[number - 1];
      if (block !== undefined) return block;
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Returns the URL of the endpoint event. */
  async endpoint(): Promise<string> {
    const [, path = ''] = /^event: endpoint\ndata: (.*)$/.exec(await this.block(1)) ?? [];
    return new URL(path, this.#url).href;
  }

  /** Stops reading without closing the connection. */
  stall(): void {
    this.#response.pause();
  }

  /** Closes the connection. */
  async leave(): Promise<void> {
    this.#response.destroy();
    await this.ended;
  }

  #take(chunk: string): void {
    const blocks = (this.#rest + chunk).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    this.blocks.push(...blocks);
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
