import { RemoteError, SessionError, TransportError } from '@tenon/mcp-protocol';

/** The method and params of a call. */
export interface NamedCall {
  readonly method: string;
  readonly params: object;
  /** Ends the progress that goes on after the first answer. */
  progress?: AbortController;
}

/** The name of the call in errors: its method, and the tool, prompt or resource. */
export function nameOfCall({ method, params }: NamedCall): string {
  const { name, uri } = params as { readonly name?: unknown; readonly uri?: unknown };
  const subject = typeof name === 'string' ? name : uri;
  return typeof subject === 'string' ? `${method} ${subject.slice(0, 128)}` : method;
}

/** Returns the error of a call that its caller has cancelled. */
export function cancellation(name: string, cause: unknown): SessionError {
  return new SessionError('cancelled', `${name} was cancelled by its caller.`, { cause });
}

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
