import { ErrorCode, RemoteError, SessionError, TransportError } from '@tenon/mcp-protocol';
import type { Session } from './session.js';

/** Methods that only read: one whose answer was lost may be sent again. */
const reading: ReadonlySet<string> = new Set([
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
]);

/** The server does not know the session any more, or the revision: it did not look at the request. */
export function isUnhandled(error: unknown, { revision }: Session): error is Error {
  if (error instanceof RemoteError)
    return revision.rules.standalone && error.code === ErrorCode.unsupportedProtocolVersion;
  return error instanceof TransportError && error.unhandled;
}

/** True if the answer of a request was lost that only reads, so that it may be sent again. */
export function isLostRead({ endpoint, revision }: Session, method: string, error: unknown): boolean {
  if (!reading.has(method)) return false;
  const { standalone } = revision.rules;
  if (error instanceof TransportError) return standalone && isBroken(error);
  const lost = error instanceof SessionError && error.reason === 'closed';
  // Over HTTP a session may end while the server goes on; a server that is gone has lost more than a session.
  return lost && (standalone || endpoint.connection.carriesHeaders === true);
}

/** The exchange failed for no reason that another one must share. */
function isBroken({ status }: TransportError): boolean {
  return status === undefined || status < 300;
}
