import { isIP } from 'node:net';
import { jsonIn } from '@tenon/foundation';
import { latestStateless, MetaKey } from '@tenon/mcp-protocol';
import { headerIn, sendRequest } from '../../connections/send-request.js';

/** One HTTP request, without redirects. */
interface RawRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST' | 'OPTIONS';
  /** Names in lower case. `host` replaces the host of the URL. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Resolves when the headers are there: the body of an event stream has no end. */
  readonly headOnly?: boolean;
  readonly signal: AbortSignal;
}

/** The response to a {@link RawRequest}. */
export interface RawResponse {
  readonly status: number;
  header(name: string): string | undefined;
  /** The first 65,536 bytes of the body; of an event stream those up to the first message. */
  readonly text: string;
}

const mostBytes = 65_536;

/**
 * Sends one request, and follows no redirect.
 * @throws the error of the connection, or the reason of the signal.
 */
export function rawRequest({
  url,
  method,
  headers,
  body,
  headOnly,
  signal,
}: RawRequest): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // Without it, the header `host` decides which name the certificate must have.
    const servername = isIP(host) === 0 ? host : '';
    const options = { method, headers, signal, agent: false, servername };
    const request = sendRequest(url, options, (response) => {
      // Destroying a body that was not read makes it emit an error.
      response.on('error', reject);
      const chunks: Buffer[] = [];
      let size = 0;
      const finish = () => {
        const header = (name: string) => headerIn(response, name);
        resolve({ status: response.statusCode ?? 0, header, text: Buffer.concat(chunks).toString() });
        response.destroy();
      };
      if (headOnly === true) return finish();
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size >= mostBytes || isWholeEvent(response.headers['content-type'], chunk)) finish();
      });
      response.on('end', finish);
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** True if an event stream has sent a message: some servers do not end the stream after it. */
function isWholeEvent(contentType: string | undefined, chunk: Buffer): boolean {
  return contentType?.startsWith('text/event-stream') === true && /^data: ?\S/m.test(chunk.toString());
}

/** The body and the headers of `server/discover`, which changes nothing at a server. */
export function discoverRequest(headers: Readonly<Record<string, string>>): {
  readonly headers: Record<string, string>;
  readonly body: string;
} {
  const { id } = latestStateless;
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'server/discover',
    params: {
      _meta: {
        [MetaKey.protocolVersion]: id,
        [MetaKey.clientCapabilities]: {},
      },
    },
  });
  return {
    headers: {
      'user-agent': 'tenon-doctor',
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': id,
      'mcp-method': 'server/discover',
      'content-length': String(Buffer.byteLength(body)),
    },
    body,
  };
}

/** Returns the JSON-RPC message in a response; undefined if there is none. */
export function messageIn({ text }: RawResponse): Readonly<Record<string, unknown>> | undefined {
  for (const candidate of [text, ...text.split('\n').map((line) => line.replace(/^data: ?/, ''))]) {
    const value = jsonIn(candidate);
    if (typeof value === 'object' && value !== null && 'jsonrpc' in value) return { ...value };
  }
  return undefined;
}
