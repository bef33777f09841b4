import { jsonIn } from '@tenon/foundation';
import { type OpenSender, undiciSender } from '@tenon/mcp-client/undici';
import type { AnswerSink, SenderRequest } from '@tenon/mcp-transport-http/client';

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

/** A sender that keeps what was sent and answered: the first 200 exchanges. */
export class TracedSender {
  readonly exchanges: TracedExchange[] = [];

  readonly open: OpenSender = async (origin, use) => {
    const sender = await undiciSender(origin, use);
    return {
      request: (request, sink) => sender.request(request, this.#traced(request, sink)),
      close: () => sender.close(),
    };
  };

  #traced(request: SenderRequest, sink: AnswerSink): AnswerSink {
    const exchange = exchangeOf(request);
    if (this.exchanges.length < most) this.exchanges.push(exchange);
    return {
      head(status, headers) {
        const headerOf = (name: string) => [headers[name]].flat()[0];
        exchange.status = status;
        exchange.contentType = headerOf('content-type')?.split(';', 1)[0];
        exchange.receivedSession = headerOf('mcp-session-id');
        sink.head(status, headers);
      },
      chunk: (bytes) => sink.chunk(bytes),
      end: () => sink.end(),
      failed: (error) => sink.failed(error),
    };
  }
}

function exchangeOf({ method, path, headers, body }: SenderRequest): TracedExchange {
  const message = (body === null ? undefined : jsonIn(body)) as OwnMessage | undefined;
  const inHandshake = message?.method === 'initialize' ? message.params?.protocolVersion : undefined;
  return {
    method,
    path: path.split('?', 1)[0] ?? path,
    rpc: message?.method,
    revision: inHandshake ?? headerIn(headers, 'mcp-protocol-version'),
    sentSession: headerIn(headers, 'mcp-session-id'),
    status: undefined,
    contentType: undefined,
    receivedSession: undefined,
  };
}

/** @param headers - names and values, alternating */
function headerIn(headers: readonly string[], wanted: string): string | undefined {
  const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === wanted);
  return at < 0 ? undefined : headers[at + 1];
}

interface OwnMessage {
  readonly method?: string;
  readonly params?: { readonly protocolVersion?: string };
}

/** Describes an exchange in one line, such as `POST initialize 2025-11-25: HTTP 200 application/json`. */
export function describeExchange({ method, rpc, revision, status, contentType }: TracedExchange): string {
  const answer = status === undefined ? 'no answer' : `HTTP ${status}`;
  return [method, rpc, revision]
    .filter((word) => word !== undefined)
    .join(' ')
    .concat(`: ${answer}`, contentType ? ` ${contentType}` : '');
}
