import type { GuardedRequest } from '@tenon/mcp-protocol';

/** Returns a request as a guard receives it, with header names in lower case. */
export function requestWith(
  headers: Readonly<Record<string, string | undefined>> = {},
  url = '/mcp',
  method = 'POST',
): GuardedRequest {
  return { method, url, header: (name) => headers[name.toLowerCase()] };
}
