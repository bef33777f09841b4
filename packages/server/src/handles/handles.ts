import { checkedHandleOptions, type HandleOptions, type Handles } from './handle-options.js';
import { LocalHandles } from './local-handles.js';
import { SharedHandles } from './shared-handles.js';

/**
 * Creates handles for values that tools need in later calls: the tool that opens a handle returns it, other tools have it
 * as an argument. Values are in this process, or with `state` in the state of all processes: a handle that was opened in one can then be used in all.
 * @throws TypeError or RangeError if an option is invalid.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#stateful-tools
 */
export function createHandles<T>(options: HandleOptions<T>): Handles<T> {
  const settings = checkedHandleOptions(options);
  const { state, clock } = options;
  return state === undefined
    ? new LocalHandles(settings, options)
    : new SharedHandles<T>(settings, { state, clock });
}
