import type { CallToolResult, Revision, Tool, UnknownObject } from '@tenon/mcp-protocol';
import type { IncomingRequest } from '@tenon/mcp-session';
import type { HandlerParts } from '../context/context.js';
import type { InterceptRun, RunnableCall } from '../features/tool-run.js';
import type { StepJournal } from '../run/once-steps.js';
import type { InterceptDetached } from '../run/run.js';
import type { InterceptedRun, ServerContributions } from './extension.js';
import { isOfferedIn } from './offered.js';

/** Undefined if no extension intercepts runs of tools. */
export function runInterception(
  { context: { limits } }: HandlerParts,
  extensions: readonly ServerContributions[],
): InterceptRun | undefined {
  const interceptors = extensions.filter((one) => one.interceptRun !== undefined);
  if (interceptors.length === 0) return undefined;
  const activeIn = new Map<Revision, readonly ServerContributions[]>();
  return (call, run) => {
    const { revision } = call.request;
    const active = activeIn.get(revision) ?? interceptors.filter((one) => isOfferedIn(one, revision));
    activeIn.set(revision, active);
    const passed = new RunAtExtension(call, limits.handlerTime);
    const [first] = active;
    // One extension needs no chain.
    if (active.length === 1 && first?.interceptRun !== undefined) return first.interceptRun(passed, run);
    const at = (index: number, steps?: StepJournal): UnknownObject | Promise<UnknownObject> => {
      const extension = active[index];
      if (extension?.interceptRun === undefined) return run(steps);
      return extension.interceptRun(passed, (own = steps) => at(index + 1, own));
    };
    return at(0);
  };
}

/** Undefined if no extension intercepts detached runs. */
export function detachedInterception(
  extensions: readonly ServerContributions[],
): InterceptDetached | undefined {
  const interceptors = extensions.flatMap((one) => one.interceptDetached?.bind(one) ?? []);
  if (interceptors.length === 0) return undefined;
  return ({ params, revision, carried = {} }, run) => {
    const call = { params, revision, carried };
    const at = async (index: number): Promise<CallToolResult> => {
      const interceptor = interceptors[index];
      return interceptor === undefined ? run() : interceptor(call, () => at(index + 1));
    };
    return at(0);
  };
}

class RunAtExtension implements InterceptedRun {
  readonly tool: Tool;
  readonly params: UnknownObject;
  readonly handlerTime: number;
  readonly #request: IncomingRequest;

  constructor({ tool, request }: RunnableCall, usualTime: number) {
    this.tool = tool;
    this.params = request.params;
    this.#request = request;
    this.handlerTime = request.patience ?? usualTime;
  }

  get revision(): InterceptedRun['revision'] {
    return this.#request.revision;
  }

  get caller(): InterceptedRun['caller'] {
    const { principal, remoteAddress, anonymous } = this.#request.exchange.facts;
    return {
      ...(principal !== undefined && { principal }),
      ...(remoteAddress !== undefined && { remoteAddress }),
      ...(anonymous !== undefined && { anonymous }),
    };
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  get isCancelled(): boolean {
    return this.#request.cancelled;
  }
}
