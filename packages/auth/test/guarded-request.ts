import type { GuardedRequest } from '@tenon/mcp-protocol';

/** A request as a guard sees it; headers in lower case. */
export function requestWith(
  headers: Readonly<Record<string, string | undefined>> = {},
  url = '/mcp',
  method = 'POST',
): GuardedRequest {
  return { method, url, header: (name) => headers[name.toLowerCase()] };
}
