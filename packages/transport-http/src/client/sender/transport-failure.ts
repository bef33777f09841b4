import { TransportError } from '@tenon/mcp-protocol';

/** Returns the failure of a request as a TransportError, without the content of the request. */
export function transportFailure(error: unknown, origin: string): TransportError {
  if (error instanceof TransportError) return error;
  return new TransportError(`The request to ${origin} failed: ${reasonOf(error)}.`, { cause: error });
}

const pool =
  'fetch stopped waiting for the server; httpTarget(url, { sender: undiciSender }) with @tenon/mcp-client/undici waits as long as the call may take';

/** Returns the failure of a request that its sender reported. A TypeError is about the application's own headers. */
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
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the host',
  UND_ERR_CONNECT_TIMEOUT: 'it could not be reached in time',
  // The fetch of Node gives up after five minutes; the pool of connections waits as long as the call does.
  UND_ERR_HEADERS_TIMEOUT: pool,
  UND_ERR_BODY_TIMEOUT: pool,
  UND_ERR_SOCKET: 'the connection was closed in the middle',
  UND_ERR_HEADERS_OVERFLOW: 'its headers are too long',
  UND_ERR_DESTROYED: 'the connection was closed',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS at this port; try http://',
};

function reasonOf(error: unknown): string {
  const root = rootOf(error);
  if (root === undefined) return 'for an unknown reason';
  const { code, message, name } = root;
  return code === undefined
    ? (message || name).replace(/\.$/, '').slice(0, 300)
    : `${reasons[code]} (${code})`;
}

/** Error codes of connections that could not be opened. */
const unreachable: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** True if no connection to the server could be opened. */
export function isUnreachable(error: unknown): boolean {
  const code = rootOf(error)?.code;
  if (code !== undefined) return unreachable.has(code);
  // The fetch of browsers reports only a TypeError.
  const cause = error instanceof TransportError ? error.cause : undefined;
  return cause instanceof TypeError && cause.cause === undefined;
}

/** True if the machine of the server can be reached, but nothing listens at the port. */
export function isRefused(error: unknown): boolean {
  return rootOf(error)?.code === 'ECONNREFUSED';
}

/** Returns the first error with a known code among an error and its causes, else the innermost one. */
function rootOf(error: unknown): { code?: string; message: string; name: string } | undefined {
  for (let one: unknown = error, depth = 0; one instanceof Error && depth < 4; depth++) {
    const { message, name } = one;
    const code = 'code' in one && typeof one.code === 'string' ? one.code : '';
    if (Object.hasOwn(reasons, code)) return { code, message, name };
    // Several addresses were tried: the first error is enough.
    const inner: unknown = one instanceof AggregateError ? one.errors[0] : one.cause;
    if (inner === undefined) return { message, name };
    one = inner;
  }
  return undefined;
}
