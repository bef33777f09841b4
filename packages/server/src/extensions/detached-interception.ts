import type { CallToolResult } from '@tenon/mcp-protocol';
import type { InterceptDetached } from '../run/run.js';
import type { ServerContributions } from './extension.js';

/** Undefined if no extension intercepts detached runs. */
export function detachedInterception(
  extensions: readonly ServerContributions[],
): InterceptDetached | undefined {
  const interceptors = extensions.filter((one) => one.interceptDetached !== undefined);
  if (interceptors.length === 0) return undefined;
  return ({ params, revision, carried = {} }, run) => {
    const call = { params, revision, carried };
    const at = async (index: number): Promise<CallToolResult> =>
      interceptors[index]?.interceptDetached?.(call, () => at(index + 1)) ?? run();
    return at(0);
  };
}
