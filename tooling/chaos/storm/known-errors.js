import { ErrorCode, RemoteError, SessionError, TransportError } from '@tenon/mcp-client';

/** What a server may say when it is busy or closing. The storm breaks connections: it explains no other error answer. */
const explained = new Set([ErrorCode.overloaded, ErrorCode.shuttingDown].map(Number));

/**
 * The name an error is counted under; undefined for one that is of no family.
 *
 * @param {unknown} error
 */
export function familyOf(error) {
  if (error instanceof RemoteError) return `RemoteError ${error.code}`;
  if (error instanceof SessionError) return `SessionError ${error.reason}`;
  if (error instanceof TransportError) {
    return error.status === undefined ? 'TransportError' : `TransportError ${error.status}`;
  }
  return undefined;
}

/**
 * False for an error that broken connections do not bring about.
 *
 * @param {unknown} error
 */
export function isExplained(error) {
  if (error instanceof RemoteError) return explained.has(error.code);
  return (
    !(error instanceof SessionError) || !['invalid-answer', 'not-in-revision', 'limit'].includes(error.reason)
  );
}

/**
 * An error on one line.
 *
 * @param {unknown} error
 */
export function told(error) {
  if (!(error instanceof Error)) return String(error);
  const family = familyOf(error);
  return family === undefined ? (error.stack ?? String(error)) : `${family}: ${error.message}`;
}
