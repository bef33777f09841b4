import type { ContractOf } from '@tenon/mcp-protocol';
import type { Client } from '../client.js';
import { createClient } from './create-client.js';
import { requireClientOptions } from './option-rules.js';
import { type ConnectOptions, requireInfo } from './options.js';
import { dialerOf, type Target } from './target.js';

/**
 * Connects to a server in the newest revision that both ends support, and keeps the connection alive until it is closed.
 * The type of a server types its tools and prompts: `connect<typeof server>(...)`.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 * @throws TypeError or RangeError for invalid or unknown options; SessionError `no-common-revision` with the revisions of both
 * ends, or `closed`, `timeout`; RemoteError if the server rejects the connection; TransportError if it cannot be reached.
 */
export async function connect<S = unknown>(
  target: Target,
  options: ConnectOptions,
): Promise<Client<ContractOf<S>>> {
  requireInfo(options);
  requireClientOptions(options);
  return createClient<ContractOf<S>>(options, await dialerOf(target, options));
}
