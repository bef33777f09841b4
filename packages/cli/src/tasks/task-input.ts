import { onAbort } from '@tenon/foundation';
import type { InputRequestContext } from '@tenon/mcp-client';
import type { OpenOptions } from '@tenon/mcp-workbench';

/** The handlers of input requests. */
export type InputHandlers = Pick<OpenOptions, 'onElicit' | 'onElicitUrl' | 'onSample'>;

/**
 * Returns handlers that leave an input request open when they fail, or when the user stops. A handler that throws would cancel the task.
 * @param stop - aborted with the error of a handler.
 */
export function leavingOpen(handlers: InputHandlers, stop: AbortController): InputHandlers {
  return wrapped(handlers, async (answer, signal) => {
    try {
      const response = await answer();
      if (!stop.signal.aborted) return response;
    } catch (error) {
      stop.abort(error);
    }
    return aborted(signal);
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
  return new Promise((_, reject) => onAbort(signal, () => reject(signal.reason)));
}
