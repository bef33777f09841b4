import { RemoteError, SessionError, TransportError } from '@tenon/mcp-protocol';

/** The function of V8 that captures a stack without an error. */
const capture = (Error as { readonly captureStackTrace?: (target: object, above: unknown) => void })
  .captureStackTrace;

const placed = new WeakSet<Error>();

/**
 * Adds the place of a call to the stack of its error. The error was created when an answer arrived or a timer fired,
 * where the stack does not have the caller. Called by an `async` function that awaited the answer, so that the engine knows the caller of
 * that function. Does nothing on engines without async stacks.
 */
export function addCallSite(error: unknown): void {
  if (capture === undefined || !isOfCall(error) || placed.has(error)) return;
  placed.add(error);
  const site: { stack?: unknown } = {};
  capture(site, addCallSite);
  const { stack } = site;
  if (typeof stack !== 'string' || typeof error.stack !== 'string' || !Object.isExtensible(error)) return;
  const frames = stack.slice(stack.indexOf('\n'));
  if (stack.includes('\n')) error.stack += frames;
}

/** Errors that are created for one call; those of middleware have their own stack. */
function isOfCall(error: unknown): error is Error {
  return error instanceof RemoteError || error instanceof SessionError || error instanceof TransportError;
}
