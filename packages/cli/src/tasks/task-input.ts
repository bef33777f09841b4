import type { InputRequestContext } from '@tenon/mcp-client';
import type { OpenOptions } from '@tenon/mcp-workbench';

/** The handlers of input requests. */
export type InputHandlers = Pick<OpenOptions, 'onElicit' | 'onElicitUrl' | 'onSample'>;

/**
 * Returns handlers that report a failure and leave the input request open. A handler that throws would cancel the task.
 * @param fail - called with what a handler throws.
 */
export function leavingOpen(handlers: InputHandlers, fail: (error: unknown) => void): InputHandlers {
  return wrapped(handlers, async (answer, signal) => {
    try {
      return await answer();
    } catch (error) {
      fail(error);
      return aborted(signal);
    }
  });
}

/** Returns handlers that leave input requests open as soon as `isOver` returns true. */
export function answeringUnless(isOver: () => boolean, handlers: InputHandlers): InputHandlers {
  return wrapped(handlers, async (answer, signal) => (isOver() ? aborted(signal) : answer()));
}

function wrapped(
  { onElicit, onElicitUrl, onSample }: InputHandlers,
  around: <R>(answer: () => R | Promise<R>, signal: AbortSignal) => Promise<R>,
): InputHandlers {
  const wrap =
    <P, R>(handler: (params: P, context: InputRequestContext) => R | Promise<R>) =>
    (params: P, context: InputRequestContext): Promise<R> =>
      around(() => handler(params, context), context.signal);
  return {
    ...(onElicit !== undefined && { onElicit: wrap(onElicit) }),
    ...(onElicitUrl !== undefined && { onElicitUrl: wrap(onElicitUrl) }),
    ...(onSample !== undefined && { onSample: wrap(onSample) }),
  };
}

/** Rejects when a signal aborts. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
