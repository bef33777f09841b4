import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type EventPort, eventPeer } from '@tenon/mcp-protocol';

const statuses: ReadonlyMap<string | undefined, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', '413 Payload Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);
const cutOff = 'HPE_INVALID_EOF_STATE';

/**
 * Ends a connection that received something other than a whole request, after sending the matching status. Sends no status
 * in two cases: for a request that breaks off, because the client would take the status for the server's answer, and for a
 * request behind another that still waits for its own answer.
 */
export function endUnread(error: NodeJS.ErrnoException, socket: Duplex, events?: EventPort): void {
  const { _httpMessage: current } = socket as Duplex & { readonly _httpMessage?: ServerResponse | null };
  const meant = !current || !(current.headersSent || current.req.complete);
  if (meant && socket.writable && error.code !== cutOff) {
    const status = statuses.get(error.code) ?? '400 Bad Request';
    if (events?.active === true) {
      const remoteAddress = socket instanceof Socket ? socket.remoteAddress : undefined;
      const facts = { remoteAddress, transport: 'http' };
      events.emit({
        type: 'refused',
        ...eventPeer({ facts }),
        status: Number.parseInt(status, 10),
        reason: status,
      });
    }
    socket.write(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  }
  socket.destroy();
}
