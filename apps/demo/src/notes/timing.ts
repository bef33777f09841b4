import type { Middleware } from '@tenon/mcp-server';

/** The `_meta` key of a tool result for the milliseconds that the call took. */
export const tookKey = 'notes.example/took-ms';

/** Adds the time of each tool call to its result. */
export const timing: Middleware = async (call, next) => {
  if (call.direction !== 'inbound' || call.method !== 'tools/call') return next();
  const began = performance.now();
  const result = await next();
  return { ...result, _meta: { ...(result._meta as object), [tookKey]: performance.now() - began } };
};
