/** An endpoint as tests drive it: over a socket, or by calling a fetch handler. */
export interface Endpoint {
  readonly url: string;
  readonly send: (url: string, init: RequestInit) => Promise<Response>;
  /** Headers of every request, such as credentials. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One JSON-RPC message, as far as tests look at it. */
export interface Frame {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

const stateless = '2026-07-28';
const handshake = '2025-11-25';

/** Sends one POST. */
export function post(
  { url, send, headers }: Endpoint,
  message: object,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return send(url, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
      ...more,
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
}

/** The messages of an answer in order, whether it is one JSON body or an event stream. */
export async function* framesOf(response: Response): AsyncGenerator<Frame, void> {
  if (response.headers.get('content-type') === 'application/json') {
    yield (await response.json()) as Frame;
    return;
  }
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.+)$/m.exec(event)?.[1];
      if (data !== undefined) yield JSON.parse(data) as Frame;
    }
  }
}

/** The next message, which must be there. */
export async function next(frames: AsyncGenerator<Frame, void>): Promise<Frame> {
  const { value, done } = await frames.next();
  if (done === true) throw new Error('The stream has ended.');
  return value as Frame;
}

/** Text of a tool result. */
export function textOf(frame: Frame | undefined): string | undefined {
  const [block] = (frame?.result?.content ?? []) as { readonly text?: string }[];
  return block?.text;
}

/** A tool call outside any session. */
export interface LoneCall {
  readonly name: string;
  readonly args?: object;
  readonly progressToken?: string;
  readonly signal?: AbortSignal;
  /** Other params, such as the answers to input requests. */
  readonly more?: object;
}

/** Calls a tool as clients of the stateless revision do; this one fills in forms. */
export function callAlone(endpoint: Endpoint, call: LoneCall): Promise<Response> {
  const { name, args = {}, progressToken, signal, more } = call;
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': stateless,
    'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    ...(progressToken !== undefined && { progressToken }),
  };
  const send: Endpoint['send'] = (url, init) =>
    endpoint.send(url, signal === undefined ? init : { ...init, signal });
  return post(
    { ...endpoint, send },
    { id: 1, method: 'tools/call', params: { name, arguments: args, ...more, _meta } },
    { 'mcp-protocol-version': stateless, 'mcp-method': 'tools/call', 'mcp-name': name },
  );
}

/** One session of the newest revision with a handshake. */
export class WireSession {
  readonly #endpoint: Endpoint;
  readonly #headers: Readonly<Record<string, string>>;
  #id = 1;

  private constructor(endpoint: Endpoint, id: string) {
    this.#endpoint = endpoint;
    this.#headers = { 'mcp-session-id': id, 'mcp-protocol-version': handshake };
  }

  /** Shakes hands, with a client that fills in forms. */
  static async open(endpoint: Endpoint): Promise<WireSession> {
    const clientInfo = { name: 'wire', version: '1.0.0' };
    const params = { protocolVersion: handshake, capabilities: { elicitation: {} }, clientInfo };
    const response = await post(endpoint, { id: 1, method: 'initialize', params });
    const id = response.headers.get('mcp-session-id');
    if (id === null) throw new Error(`No session: ${response.status} ${await response.text()}`);
    await response.text();
    const session = new WireSession(endpoint, id);
    const { status } = await session.post({ method: 'notifications/initialized' });
    if (status !== 202) throw new Error(`notifications/initialized was answered with ${status}`);
    return session;
  }

  /** The same session at another endpoint. */
  at(endpoint: Endpoint): WireSession {
    return new WireSession(endpoint, this.#headers['mcp-session-id'] ?? '');
  }

  post(message: object): Promise<Response> {
    return post(this.#endpoint, message, this.#headers);
  }

  call(name: string, args: object): Promise<Response> {
    return this.post({ id: ++this.#id, method: 'tools/call', params: { name, arguments: args } });
  }

  /** GET or DELETE. */
  without(method: 'GET' | 'DELETE'): Promise<Response> {
    const { url, send, headers } = this.#endpoint;
    const accept = method === 'GET' ? { accept: 'text/event-stream' } : {};
    return send(url, { method, headers: { ...accept, ...headers, ...this.#headers } });
  }
}
