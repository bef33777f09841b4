import { RemoteError, SessionError, TransportError } from '@tenon/mcp-protocol';

/** V8's own way to note a stack without an error. */
const capture = (Error as { readonly captureStackTrace?: (target: object, above: unknown) => void })
  .captureStackTrace;

const placed = new WeakSet<Error>();

/**
 * Adds where a call was made to the stack of the error it failed with: the error was made when an answer came in or a timer fired,
 * where nothing is known of the caller. Called by an `async` function that awaited the answer, so that the engine knows who awaits
 * that function. Does nothing where the engine cannot tell.
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

/** Errors that are made for one call; those of middleware have a stack of their own. */
function isOfCall(error: unknown): error is Error {
  return error instanceof RemoteError || error instanceof SessionError || error instanceof TransportError;
}
