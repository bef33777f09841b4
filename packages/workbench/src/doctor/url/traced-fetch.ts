/** One HTTP exchange of a connection, without its bodies and secrets. */
export interface TracedExchange {
  readonly method: string;
  readonly path: string;
  /** The method of the JSON-RPC message; undefined for a request without one. */
  readonly rpc: string | undefined;
  /** The revision in the header or in the handshake. */
  readonly revision: string | undefined;
  /** The session id of the request. */
  readonly sentSession: string | undefined;
  status: number | undefined;
  contentType: string | undefined;
  /** The session id of the response. */
  receivedSession: string | undefined;
}

const most = 200;

/** A `fetch` that keeps what was sent and answered: the first 200 exchanges. */
export class TracedFetch {
  readonly exchanges: TracedExchange[] = [];

  readonly fetch = async (input: string, init: RequestInit): Promise<Response> => {
    const exchange = exchangeOf(input, init);
    if (this.exchanges.length < most) this.exchanges.push(exchange);
    const response = await fetch(input, init);
    exchange.status = response.status;
    exchange.contentType = response.headers.get('content-type')?.split(';', 1)[0];
    exchange.receivedSession = response.headers.get('mcp-session-id') ?? undefined;
    return response;
  };
}

function exchangeOf(url: string, { method = 'GET', headers, body }: RequestInit): TracedExchange {
  const sent = new Headers(headers);
  const message = typeof body === 'string' ? parsed(body) : undefined;
  const inHandshake = message?.method === 'initialize' ? message.params?.protocolVersion : undefined;
  return {
    method,
    path: new URL(url).pathname,
    rpc: message?.method,
    revision: inHandshake ?? sent.get('mcp-protocol-version') ?? undefined,
    sentSession: sent.get('mcp-session-id') ?? undefined,
    status: undefined,
    contentType: undefined,
    receivedSession: undefined,
  };
}

interface OwnMessage {
  readonly method?: string;
  readonly params?: { readonly protocolVersion?: string };
}

/** Reads a message of this client. */
function parsed(body: string): OwnMessage | undefined {
  try {
    return JSON.parse(body) as OwnMessage;
  } catch {
    return undefined;
  }
}

/** Describes an exchange in one line, such as `POST initialize 2025-11-25: HTTP 200 application/json`. */
export function describeExchange({ method, rpc, revision, status, contentType }: TracedExchange): string {
  const answer = status === undefined ? 'no answer' : `HTTP ${status}`;
  return [method, rpc, revision]
    .filter((word) => word !== undefined)
    .join(' ')
    .concat(`: ${answer}`, contentType ? ` ${contentType}` : '');
}
