import { TransportError } from '@tenon/mcp-protocol';

const longest = 4_096;

/**
 * Returns the problem of a server's session id. The id is a secret, so the message does not contain it.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 */
export function sessionIdProblem(id: string): TransportError | undefined {
  if (id.length > longest) {
    return new TransportError(`The session id of the server is longer than ${longest} characters.`);
  }
  return /^[\x21-\x7e]+$/.test(id)
    ? undefined
    : new TransportError('The session id of the server holds characters other than visible ASCII.');
}
