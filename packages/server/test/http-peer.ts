import { type ClientCapabilities, latestHandshake, MetaKey, type Revision } from '@tenon/mcp-protocol';
import type { WireMessage } from './wire-peer.js';

type Headers = Readonly<Record<string, string>>;

/** The params that `Mcp-Name` repeats. */
const named: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** A client that speaks raw HTTP by `fetch`, whatever answers it. */
export class HttpPeer {
  readonly revision: Revision;
  readonly capabilities: ClientCapabilities;
  /** Sent with every request. */
  headers: Headers = {};
  readonly #url: string;
  readonly #fetch: typeof fetch;
  #lastId = 0;

  constructor(url: string, options: HttpPeerOptions = {}) {
    this.#url = url;
    this.revision = options.revision ?? latestHandshake;
    this.capabilities = options.capabilities ?? {};
    this.#fetch = options.fetch ?? fetch;
  }

  /** A peer that has finished its handshake, in revisions that have one. */
  static async open(url: string, options: HttpPeerOptions = {}): Promise<HttpPeer> {
    const peer = new HttpPeer(url, options);
    if (peer.revision.lifecycle === 'handshake') await peer.#shakeHands();
    return peer;
  }

  /** Posts a value as it is. */
  post(value: unknown, headers: Headers = {}, signal?: AbortSignal): Promise<Response> {
    const body = typeof value === 'string' ? value : JSON.stringify(value);
    const all = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...this.headers,
      ...headers,
    };
    return this.#fetch(this.#url, { method: 'POST', body, headers: all, ...(signal && { signal }) });
  }

  get(headers: Headers = {}): Promise<Response> {
    return this.#fetch(this.#url, {
      headers: { accept: 'text/event-stream', ...this.headers, ...headers },
    });
  }

  delete(): Promise<Response> {
    return this.#fetch(this.#url, { method: 'DELETE', headers: this.headers });
  }

  /** Posts a request as its revision wants it; `change` replaces headers, undefined ones are left out. */
  send(
    method: string,
    params: Readonly<Record<string, unknown>> = {},
    change: Readonly<Record<string, string | undefined>> = {},
  ): Promise<Response> {
    const id = ++this.#lastId;
    if (this.revision.lifecycle === 'handshake') {
      return this.post({ jsonrpc: '2.0', id, method, params }, defined(change));
    }
    const stamp = {
      [MetaKey.protocolVersion]: this.revision.id,
      [MetaKey.clientCapabilities]: this.capabilities,
    };
    const name = params[named[method] ?? ''];
    const headers = {
      'mcp-protocol-version': this.revision.id,
      'mcp-method': method,
      'mcp-name': typeof name === 'string' ? name : undefined,
      ...change,
    };
    const _meta = { ...stamp, ...(params._meta as object | undefined) };
    return this.post({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }, defined(headers));
  }

  /** Every message of the answer to a request, the answer last. */
  async messages(...given: Parameters<HttpPeer['send']>): Promise<WireMessage[]> {
    return messagesOf(await this.send(...given));
  }

  /** The answer to a request. */
  async request(...given: Parameters<HttpPeer['send']>): Promise<WireMessage> {
    return (await this.messages(...given)).at(-1) as WireMessage;
  }

  async #shakeHands(): Promise<void> {
    const { revision, capabilities } = this;
    const clientInfo = { name: 'peer', version: '1' };
    const response = await this.send('initialize', {
      protocolVersion: revision.id,
      capabilities,
      clientInfo,
    });
    await response.text();
    const session = response.headers.get('mcp-session-id');
    this.headers = {
      ...this.headers,
      ...(session !== null && { 'mcp-session-id': session }),
      ...(revision.rules.versionHeader && { 'mcp-protocol-version': revision.id }),
    };
    await this.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }
}

export interface HttpPeerOptions {
  readonly revision?: Revision;
  readonly capabilities?: ClientCapabilities;
  readonly fetch?: typeof fetch;
}

/** The messages of a response that ends, JSON or events. */
export async function messagesOf(response: Response): Promise<WireMessage[]> {
  const text = await response.text();
  if (response.headers.get('content-type') !== 'text/event-stream')
    return text === '' ? [] : [JSON.parse(text)];
  return readMessages(text);
}

/** The messages of a response that does not end by itself; end it by ending the loop. */
export async function* messagesFrom(response: Response): AsyncGenerator<WireMessage> {
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString();
    const end = text.lastIndexOf('\n\n') + 2;
    yield* readMessages(text.slice(0, end));
    text = text.slice(end);
  }
}

function readMessages(text: string): WireMessage[] {
  return text.split('\n').flatMap((line) => (/^data: ./.test(line) ? [JSON.parse(line.slice(6))] : []));
}

function defined(headers: Readonly<Record<string, string | undefined>>): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)) as Headers;
}
