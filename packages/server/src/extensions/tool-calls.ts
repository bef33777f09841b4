import type {
  CallHistory,
  CallToolResult,
  CapabilitySettings,
  Revision,
  UnknownObject,
} from '@tenon/mcp-protocol';
import { isObject, negotiated } from '@tenon/mcp-protocol/internal';
import type { Context, HandlerParts } from '../context/context.js';
import type { Intercept, Interceptable } from '../features/tool-run.js';
import type { DetachedPorts } from '../run/detached-run.js';
import { detachedRun } from './detached-run.js';
import type { ExtendedResult, InterceptedCall, ServerContributions } from './extension.js';
import { isOfferedIn, undeclared } from './offered.js';
import { type SavedCall, saveCall } from './saved-call.js';

/** Undefined if no extension intercepts tool calls. */
export function interception(
  parts: HandlerParts,
  extensions: readonly ServerContributions[],
): Intercept | undefined {
  const interceptors = extensions.filter((one) => one.interceptToolCall !== undefined);
  if (interceptors.length === 0) return undefined;
  const activeIn = new Map<Revision, readonly ServerContributions[]>();
  return (call, ctx) => {
    const { revision } = call.request;
    const active = activeIn.get(revision) ?? interceptors.filter((one) => isOfferedIn(one, revision));
    activeIn.set(revision, active);
    return intercepted({ parts, call, active }, ctx);
  };
}

/** A tool call, and the extensions that intercept it in its revision. */
interface Interception {
  readonly parts: HandlerParts;
  readonly call: Interceptable;
  readonly active: readonly ServerContributions[];
}

async function intercepted({ parts, call, active }: Interception, ctx: Context): Promise<UnknownObject> {
  const at = async (index: number): Promise<ExtendedResult> => {
    const extension = active[index];
    if (extension?.interceptToolCall === undefined) return (await call.run(ctx, 'request')) as ExtendedResult;
    const passed = new ToolCallAtExtension(parts, { call, ctx, extension });
    const result = await extension.interceptToolCall(passed as InterceptedCall, () => at(index + 1));
    return checked(result, passed, extension);
  };
  return (await at(0)) as ExtendedResult & UnknownObject;
}

/** @throws TypeError if an extension returned a result that the client must not receive. */
function checked(
  result: ExtendedResult,
  { name, settings }: ToolCallAtExtension,
  { id, resultTypes = [] }: ServerContributions,
): ExtendedResult {
  const subject = `Extension "${id}" answered the call of the tool "${name}" with`;
  if (!isObject(result)) throw new TypeError(`${subject} ${String(result)}: return a result.`);
  const { resultType } = result;
  if (resultType === undefined || resultType === 'complete' || resultType === 'input_required') return result;
  if (typeof resultType !== 'string') throw new TypeError(`${subject} a resultType that is not a text.`);
  if (resultTypes.includes(resultType) && settings === undefined)
    throw new TypeError(
      `${subject} the result type "${resultType}", but the client did not declare the extension.`,
    );
  // Results of inner extensions were checked there.
  return result;
}

class ToolCallAtExtension implements InterceptedCall<UnknownObject> {
  readonly ctx: Context;
  readonly settings: CapabilitySettings | undefined;
  readonly #parts: HandlerParts;
  readonly #call: Interceptable;
  readonly #extension: ServerContributions;

  constructor(
    parts: HandlerParts,
    {
      call,
      ctx,
      extension,
    }: { readonly call: Interceptable; readonly ctx: Context; readonly extension: ServerContributions },
  ) {
    const { revision, from } = call.request;
    this.#parts = parts;
    this.#call = call;
    this.#extension = extension;
    this.ctx = ctx;
    this.settings = negotiated(
      extension.id,
      parts.context.extensions?.in(revision),
      from.clientCapabilities.extensions,
    );
  }

  get name(): string {
    return this.#call.name;
  }

  get input(): unknown {
    return this.#call.input;
  }

  get revision(): InterceptedCall['revision'] {
    return this.#call.request.revision;
  }

  get params(): UnknownObject {
    return this.#call.request.params;
  }

  get session(): string | undefined {
    return this.#call.request.sessionId;
  }

  get remoteAddress(): string | undefined {
    return this.#call.request.exchange.facts.remoteAddress;
  }

  get history(): CallHistory | undefined {
    return this.#call.history;
  }

  saved(): SavedCall {
    return saveCall(this.#call.request, this.name);
  }

  option(name: string): unknown {
    const own = this.#extension.toolOptions;
    const { options } = this.#call;
    const isOwn = own !== undefined && Object.hasOwn(own, name);
    return isOwn && Object.hasOwn(options, name) ? options[name] : undefined;
  }

  requireClient(): void {
    if (this.settings === undefined) throw undeclared(this.#extension.id, `The tool "${this.name}"`);
  }

  async detach(ports: DetachedPorts): Promise<CallToolResult> {
    const { request, run } = this.#call;
    return detachedRun(this.#parts, { request, ports, run });
  }
}
