/** What callers must be allowed to do. Where nobody asks who is calling, as on stdio, scopes are not looked at. */
export const noteScopes = {
  /** Everything takes it. */
  read: 'notes:read',
  write: 'notes:write',
  delete: 'notes:delete',
} as const;
