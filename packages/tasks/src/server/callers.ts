import type { Principal } from '@tenon/mcp-protocol';
import type { ExtensionHost, SavedCall } from '@tenon/mcp-server';
import { digestSegment } from '@tenon/mcp-state/internal';

/** Returns the hash of a caller; undefined for a caller that is not authenticated. */
export async function callerHash(
  host: ExtensionHost,
  { auth }: { readonly auth: Principal | undefined },
): Promise<string | undefined> {
  return auth === undefined ? undefined : host.callerOf({ principal: auth });
}

/**
 * Returns the list that a task belongs to: of its principal, else of its session, else of its address.
 * @param made - the call that makes a task, for a caller that is not authenticated.
 */
export function listOf(
  caller: string | undefined,
  made: { readonly session?: string | undefined; readonly saved?: SavedCall } = {},
): Promise<string> {
  if (caller !== undefined) return digestSegment(`caller ${caller}`);
  const { session, saved } = made;
  return digestSegment(
    session === undefined ? `address ${saved?.remoteAddress ?? ''}` : `session ${session}`,
  );
}
