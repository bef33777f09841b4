import type { Middleware } from '@tenon/mcp-server';

/** Where the result of a tool call says how long it took, in milliseconds. */
export const tookKey = 'notes.example/took-ms';

/** Tells callers how long their tool calls took. */
export const timing: Middleware = async (call, next) => {
  if (call.direction !== 'inbound' || call.method !== 'tools/call') return next();
  const began = performance.now();
  const result = await next();
  return { ...result, _meta: { ...(result._meta as object), [tookKey]: performance.now() - began } };
};
