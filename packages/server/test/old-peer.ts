import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { RequestId } from '@tenon/mcp-protocol';
import { revision20241105 } from '@tenon/mcp-protocol/internal';
import { expect } from 'vitest';
import type { WireMessage } from './wire-peer.js';

/** Makes one HTTP request by hand. */
export async function raw(
  url: string,
  init: { method?: string; headers?: Record<string, string>; body?: string } = {},
) {
  const { method = 'GET', headers = {}, body } = init;
  const outgoing = request(url, { method, headers, agent: false }).end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return response;
}

/** A client of 2024, byte by byte. */
export class Old {
  readonly received: WireMessage[] = [];
  readonly ended: Promise<unknown>;
  endpoint = '';
  readonly #headers: Record<string, string>;
  readonly #stream: IncomingMessage;
  readonly #waiting = new Set<() => void>();
  #rest = '';

  private constructor(stream: IncomingMessage, origin: string, headers: Record<string, string>) {
    this.#headers = headers;
    this.#stream = stream;
    this.ended = once(stream, 'close');
    stream.on('error', () => undefined);
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      const blocks = (this.#rest + chunk).split('\n\n');
      this.#rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, event, data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
        if (event === 'endpoint') this.endpoint = new URL(data, origin).href;
        else if (event === 'message') this.received.push(JSON.parse(data) as WireMessage);
      }
      for (const resolve of this.#waiting) resolve();
      this.#waiting.clear();
    });
  }

  /** Opens the stream and, unless told otherwise, the session. */
  static async open(origin: string, more: { headers?: Record<string, string>; capabilities?: object } = {}) {
    const { headers = {}, capabilities = {} } = more;
    const stream = await raw(`${origin}/sse`, { headers: { accept: 'text/event-stream', ...headers } });
    expect(stream.statusCode).toBe(200);
    const client = new Old(stream, origin, headers);
    await client.until(() => client.endpoint !== '');
    const params = {
      protocolVersion: revision20241105.id,
      capabilities,
      clientInfo: { name: 'old', version: '1' },
    };
    await client.ask('initialize', 'initialize', params);
    await client.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return client;
  }

  async post(message: object): Promise<IncomingMessage> {
    const headers = { 'content-type': 'application/json', ...this.#headers };
    const response = await raw(this.endpoint, { method: 'POST', headers, body: JSON.stringify(message) });
    response.resume();
    return response;
  }

  /** Posts a request; gives its answer from the stream. */
  async ask(id: RequestId, method: string, params: object = {}): Promise<WireMessage> {
    expect((await this.post({ jsonrpc: '2.0', id, method, params })).statusCode).toBe(202);
    return this.next((message) => message.id === id && message.method === undefined);
  }

  call(id: RequestId, name: string, more: object = {}): Promise<WireMessage> {
    return this.ask(id, 'tools/call', { name, arguments: {}, ...more });
  }

  async next(wanted: (message: WireMessage) => boolean): Promise<WireMessage> {
    await this.until(() => this.received.some(wanted));
    return this.received.find(wanted) as WireMessage;
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  leave(): void {
    this.#stream.destroy();
  }
}
