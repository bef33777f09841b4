import type { ContractOf } from '@tenon/mcp-protocol';
import type { Client } from '../client.js';
import type { ClientExtension, MembersOf } from '../extensions/installation.js';
import { createClient } from './create-client.js';
import { requireClientOptions } from './option-rules.js';
import { type ConnectOptions, requireInfo } from './options.js';
import { dialerOf, type Target } from './target.js';

/** The client of a server, by the server's type, with the members that extensions add. */
export type ExtendedClient<S, E extends readonly ClientExtension[]> =
  object extends MembersOf<E> ? Client<ContractOf<S>> : Client<ContractOf<S>> & MembersOf<E>;

/**
 * Connects to a server in the newest revision that both ends support, and keeps the connection alive until it is closed.
 * The type of a server types its tools and prompts: `connect<typeof server>(...)`. Without it, extensions type the members that they
 * add to the client; with it, `extension.of(client)` returns them.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 * @throws TypeError or RangeError for invalid or unknown options; SessionError `no-common-revision` with the revisions of both
 * ends, or `closed`, `timeout`; RemoteError if the server rejects the connection; TransportError if it cannot be reached.
 */
export async function connect<
  S = unknown,
  const E extends readonly ClientExtension[] = readonly ClientExtension[],
>(target: Target, options: ConnectOptions & { readonly extensions?: E }): Promise<ExtendedClient<S, E>> {
  requireInfo(options);
  requireClientOptions(options);
  const client = await createClient<ContractOf<S>>(options, await dialerOf(target, options));
  // createClient added the members of the extensions.
  return client as ExtendedClient<S, E>;
}
