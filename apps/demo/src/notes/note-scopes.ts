import type { Principal } from '@tenon/mcp-server';

/** The scopes of callers. Over stdio callers are not authenticated, and scopes are not checked. */
export const noteScopes = {
  /** Required for every request. */
  read: 'notes:read',
  write: 'notes:write',
  delete: 'notes:delete',
} as const;

/** The caller of a server that only this machine can reach and that has no authorization server. */
export const localUser: Principal = { id: 'local', scopes: Object.values(noteScopes) };
