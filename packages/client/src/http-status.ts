import { RemoteError, TransportError } from '@tenon/mcp-protocol';

/** The HTTP status an error came with: its own, or that of the answer it was in. */
export function statusOf(error: unknown): number | undefined {
  const carrier = error instanceof RemoteError ? error.cause : error;
  return carrier instanceof TransportError ? carrier.status : undefined;
}

/** True for a status that says something of this request alone, or of this moment, and nothing of what the server is. */
export function isPassing(status: number): boolean {
  return status >= 500 || [401, 403, 407, 408, 425, 429].includes(status);
}
