import type { Guard, GuardedRequest } from '@tenon/mcp-protocol';
import { hostnameOf, isLoopback } from '@tenon/mcp-transport-http/server/internal';

type Header = GuardedRequest['header'];

/**
 * Returns the reason to reject a request at a local port; undefined if there is none. Pages that the user visits can send requests to
 * this machine: a browser names their origin in `Origin`, and for images, frames and HEAD in `Sec-Fetch-Site`, which MCP clients do
 * not send. https://www.w3.org/TR/fetch-metadata/
 */
export function pageProblem(header: Header): string | undefined {
  const host = header('host') ?? '';
  const name = hostnameOf(host);
  if (name === undefined || !isLoopback(name)) return 'The Host header must name this machine.';
  const site = header('sec-fetch-site');
  const isOwnSite = site === undefined || site === 'none' || site === 'same-origin';
  const origin = header('origin');
  const isOwnOrigin = origin === undefined || origin === `http://${host}`;
  return isOwnSite && isOwnOrigin ? undefined : 'Pages of other origins may not use this port.';
}

/** Rejects requests of pages at a server without secrets. */
export const pageGuard: Guard = {
  documents: new Map(),
  admit({ header }) {
    const reason = pageProblem(header);
    return reason === undefined ? { id: 'local' } : { status: 403, reason };
  },
  demand: () => ({ status: 403 }),
};
