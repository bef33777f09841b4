import { isRecord } from '@tenon/foundation';
import { ErrorCode, RemoteError, SessionError, TransportError } from '@tenon/mcp-protocol';

const passingCodes: ReadonlySet<number> = new Set([
  ErrorCode.overloaded,
  ErrorCode.shuttingDown,
  ErrorCode.rateLimited,
]);
const passingReasons: ReadonlySet<string> = new Set(['closed', 'timeout']);

/** True for a failure that says nothing about the task: a later request may succeed. */
export function isPassingFailure(error: unknown): boolean {
  if (error instanceof RemoteError) return passingCodes.has(error.code);
  if (error instanceof SessionError) return passingReasons.has(error.reason);
  if (!(error instanceof TransportError) || error.permanent === true) return false;
  const { status } = error;
  return status === undefined || status >= 500 || status === 408 || status === 429;
}

/** Milliseconds that the server asks to wait after a failure; 0 if it asks for none. */
export function waitAfter(error: unknown): number {
  const data = error instanceof RemoteError && isRecord(error.data) ? error.data : {};
  const { retryAfterMs } = data;
  return typeof retryAfterMs === 'number' && retryAfterMs > 0 ? retryAfterMs : 0;
}
