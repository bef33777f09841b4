import { RemoteError, TransportError } from '@tenon/mcp-protocol';

/** Returns the HTTP status of an error: its own, or that of the answer. */
export function statusOf(error: unknown): number | undefined {
  const failure = error instanceof RemoteError ? error.cause : error;
  return failure instanceof TransportError ? failure.status : undefined;
}

/** True for a status that depends on this request or this moment, and not on the kind of the server. */
export function isPassing(status: number): boolean {
  return status >= 500 || [401, 403, 407, 408, 425, 429].includes(status);
}
