import { TransportError } from '@tenon/mcp-protocol';

/** The failure of a request as a TransportError. The content of the request is not in it. */
export function transportFailure(error: unknown, origin: string): TransportError {
  if (error instanceof TransportError) return error;
  return new TransportError(`The request to ${origin} failed: ${reasonOf(error)}.`, { cause: error });
}

const pool =
  'fetch waited no longer for the server; httpTarget(url, { sender: undiciSender }) with @tenon/mcp-client/undici waits as long as the call may take';

/** The failure of a request as its sender sees it. A TypeError is about the application's own headers. */
export function requestFailure(error: unknown, origin: string): Error {
  return error instanceof TypeError ? error : transportFailure(error, origin);
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  ENOTFOUND: 'the host is not known',
  EAI_AGAIN: 'the name of the host could not be looked up',
  ETIMEDOUT: 'it could not be reached in time',
  UND_ERR_CONNECT_TIMEOUT: 'it could not be reached in time',
  // The fetch of Node gives up after five minutes; the pool of connections waits as long as the call does.
  UND_ERR_HEADERS_TIMEOUT: pool,
  UND_ERR_BODY_TIMEOUT: pool,
  UND_ERR_SOCKET: 'the connection was closed in the middle',
  UND_ERR_HEADERS_OVERFLOW: 'its headers are too long',
  UND_ERR_DESTROYED: 'the connection was closed',
};

function reasonOf(error: unknown): string {
  for (let one: unknown = error, depth = 0; one instanceof Error && depth < 4; depth++) {
    const code = 'code' in one && typeof one.code === 'string' ? one.code : '';
    if (Object.hasOwn(reasons, code)) return `${reasons[code]} (${code})`;
    // Several addresses were tried: the first says enough.
    const inner: unknown = one instanceof AggregateError ? one.errors[0] : one.cause;
    if (inner === undefined) return (one.message || one.name).replace(/\.$/, '').slice(0, 300);
    one = inner;
  }
  return 'for an unknown reason';
}
