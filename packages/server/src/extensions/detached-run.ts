import {
  type CallToolResult,
  ErrorCode,
  type Exchange,
  type Revision,
  RpcError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { IncomingRequest, type Middleware, type RequestHost } from '@tenon/mcp-session';
import { runThrough, toWireError } from '@tenon/mcp-session/internal';
import type { Processes, State } from '@tenon/mcp-state';
import { Context, type HandlerParts } from '../context/context.js';
import type { Audience } from '../core/audience.js';
import type { ServerEvents } from '../core/server-events.js';
import type { CallChecker, ToolRun } from '../features/tool-run.js';
import type { DetachedPorts } from '../run/detached-run.js';
import { loadRunCode } from '../run/loading.js';
import { readSavedCall } from './saved-call.js';

/** The parts of a server that extensions use. */
export interface ExtensionParts extends HandlerParts {
  readonly audience: Audience;
  readonly revisions: readonly Revision[];
  readonly middleware: readonly Middleware[];
  readonly events: ServerEvents;
  /** The part of the option `state` that belongs to servers with this name; undefined for a server without it. */
  readonly state: State | undefined;
  /** This process among those that share the server's state; undefined for a server on its own. */
  readonly processes: Processes | undefined;
}

/** A handler to run detached from the request that it belongs to. */
export interface Detachable {
  readonly request: IncomingRequest;
  readonly ports: DetachedPorts;
  readonly run: ToolRun;
}

/**
 * Runs a tool's handler detached from its request.
 * @throws RpcError where the request would have been answered with an error; the handler's own error once the signal has aborted.
 */
export async function detachedRun(
  { runs, context }: HandlerParts,
  { request, ports, run }: Detachable,
): Promise<CallToolResult> {
  const { DetachedRun } = await loadRunCode();
  const detached = new DetachedRun(runs, request, ports);
  try {
    const handle = async () => {
      const ctx = new Context(context, detached.call, detached);
      return (await detached.handle(() => run(ctx, 'detached'))) as CallToolResult & UnknownObject;
    };
    return await (runs.interceptDetached === undefined ? handle() : runs.interceptDetached(request, handle));
  } catch (error) {
    throw ports.signal.aborted ? error : rpcErrorOf(context, error, request);
  }
}

/**
 * Runs the handler of a saved call, after the middleware of the server and the checks of a call that was received.
 * @throws TypeError if the saved call is malformed or its tool is not that of the params; else like {@link detachedRun}.
 */
export async function runSaved(
  parts: ExtensionParts,
  calls: CallChecker,
  { saved, ports }: { readonly saved: unknown; readonly ports: DetachedPorts },
): Promise<CallToolResult> {
  const { tool, params, revision, from, facts, carried } = readSavedCall(parts.revisions, saved);
  const { signal } = ports;
  // Nothing is left of the connection: its messages are dropped.
  const exchange: Exchange = { facts, signal, send: () => undefined };
  const { clock, limits } = parts.context;
  const host: RequestHost = { side: 'server', clock, limits, conversation: undefined };
  const method = 'tools/call';
  const request = new IncomingRequest(
    { id: `saved ${tool}`, method, params, revision, from },
    exchange,
    host,
  );
  request.carried = carried;
  const seen = { direction: 'inbound', method, params, revision, request, isSaved: true } as const;
  const call = { ...seen, carried: async () => carried };
  try {
    const result = await runThrough(parts.middleware, call, async (changed) => {
      request.params = changed;
      const { name, run } = await calls.check(request);
      if (name !== tool)
        throw new TypeError(
          `The saved call cannot run: it is of the tool "${tool}", and its params name "${name}".`,
        );
      return (await detachedRun(parts, { request, ports, run })) as CallToolResult & UnknownObject;
    });
    return result as CallToolResult & UnknownObject;
  } catch (error) {
    throw signal.aborted ? error : rpcErrorOf(parts.context, error, request);
  } finally {
    request.finish();
  }
}

/** Returns the error with which the request would have been answered. Reports an error that must not be sent to callers. */
function rpcErrorOf(
  { onError }: HandlerParts['context'],
  error: unknown,
  { revision, method }: IncomingRequest,
): RpcError {
  const wire = toWireError(error, revision);
  if (error instanceof RpcError && wire?.code === error.code) return error;
  if (wire === undefined) {
    onError(error, method);
    return new RpcError(ErrorCode.internalError, 'Internal error', { cause: error });
  }
  const { code, message, data } = wire;
  return new RpcError(code, message, { data, cause: error });
}
