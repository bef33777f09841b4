import { ErrorCode, RemoteError, SessionError, TransportError } from '@tenon/mcp-client';

/** Error codes of a busy or closing server. The storm breaks connections, which explains no other error answer. */
const explained = new Set([ErrorCode.overloaded, ErrorCode.shuttingDown].map(Number));

/**
 * Returns the name under which an error is counted; undefined for an error without a class of Tenon.
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
 * False for an error that broken connections do not cause.
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
 * Returns an error on one line.
 *
 * @param {unknown} error
 */
export function errorText(error) {
  if (!(error instanceof Error)) return String(error);
  const family = familyOf(error);
  return family === undefined ? (error.stack ?? String(error)) : `${family}: ${error.message}`;
}
