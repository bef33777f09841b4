import type { Principal } from '@tenon/mcp-protocol';
import type { ExtensionHost } from '@tenon/mcp-server/extension';
import { digestSegment } from '@tenon/mcp-state/extension';

/** The facts that tell callers apart. */
export interface CallerFacts {
  readonly principal?: Principal | undefined;
  readonly remoteAddress?: string | undefined;
  readonly session?: string | undefined;
}

/** Returns the hash of a caller; undefined for a caller that is not authenticated. */
export async function callerHash(
  host: ExtensionHost,
  { auth }: { readonly auth: Principal | undefined },
): Promise<string | undefined> {
  return auth === undefined ? undefined : host.callerOf({ principal: auth });
}

/** Returns the name of a caller in this process: of its principal, else of its address, else of its session. */
export function callerName({ principal, remoteAddress, session = '' }: CallerFacts): string {
  if (principal !== undefined) return JSON.stringify([principal.issuer ?? null, principal.id]);
  return remoteAddress === undefined ? session : `@${remoteAddress}`;
}

/** Returns the list that `tasks/list` reads: of a principal, else of a session. Undefined for a caller without both. */
export async function listOf(caller: string | undefined, session?: string): Promise<string | undefined> {
  if (caller !== undefined) return digestSegment(`caller ${caller}`);
  return session === undefined ? undefined : digestSegment(`session ${session}`);
}

/**
 * Returns the lists that a new task belongs to: the one that `tasks/list` reads, and for a caller without a principal that of its
 * address, because a client can begin any number of sessions.
 */
export async function listsOf(
  caller: string | undefined,
  { session, remoteAddress }: CallerFacts,
): Promise<readonly string[]> {
  const listed = await listOf(caller, session);
  const isOfAddress = caller === undefined && (listed === undefined || remoteAddress !== undefined);
  const ofAddress = isOfAddress ? await digestSegment(`address ${remoteAddress ?? ''}`) : undefined;
  return [ofAddress, listed].filter((list) => list !== undefined);
}
