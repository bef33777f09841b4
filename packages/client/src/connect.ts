import type { ContractOf } from '@tenon/mcp-protocol';
import type { Client } from './client.js';
import { requireClientOptions } from './client-option-rules.js';
import { createClient } from './create-client.js';
import { type ClientOptions, requireInfo } from './options.js';
import { dialerOf, type Target } from './target.js';

/**
 * Connects to a server: finds the newest revision both ends speak, and keeps the connection alive until it is closed.
 * Give the type of a server to have its tools and prompts typed: `connect<typeof server>(...)`.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 * @throws TypeError or RangeError for options that make no sense or do not exist; SessionError `no-common-revision` naming what both
 * ends speak, or `closed`, `timeout`; RemoteError when the server refuses; TransportError when it cannot be reached.
 */
export async function connect<S = unknown>(
  target: Target,
  options: ClientOptions,
): Promise<Client<ContractOf<S>>> {
  requireInfo(options);
  requireClientOptions(options);
  return createClient<ContractOf<S>>(options, await dialerOf(target, options));
}
