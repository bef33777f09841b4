import {
  type CallOptions,
  type Client,
  type JsonObject,
  SessionError,
  type ToolResult,
  TransportError,
} from '@tenon/mcp-client';
import type { CallToolResult } from '@tenon/mcp-protocol';
import type { Permit } from '../access/access-control.js';
import type { Origin, ToolAccess } from '../access/access-request.js';
import { HostError } from '../host-error.js';
import type { CallState } from '../input/host-input.js';
import { visibleLine } from '../models/formats/text/visible-text.js';
import type { Ending, Requests } from '../requests/requests.js';
import type { ManagedServer } from '../servers/managed-server.js';
import { isAuthError } from '../servers/quiet-auth.js';

/** One call of a tool of a known server. */
export interface ToolCall {
  readonly managed: ManagedServer;
  /** The name of the server in the host. */
  readonly server: string;
  /** The name of the tool at the server. */
  readonly tool: string;
  readonly args: JsonObject;
  readonly origin: Origin;
  readonly options: Pick<CallOptions, 'onProgress' | 'signal' | 'timeout' | 'total'>;
}

/** Definitions that change while a call waits for its permission: after so many, the call is refused. */
const mostChanges = 3;

/** The result of a call that was not sent, because the tool has changed. */
const notSent = Promise.resolve(undefined);

/**
 * Calls a tool, once the call is permitted.
 * @throws HostError; RemoteError for an error that the server answered with; SessionError.
 */
export async function callTool(requests: Requests, call: ToolCall): Promise<ToolResult> {
  const { managed, server, tool } = call;
  const { signal } = call.options;
  // The definition has to be known for the policy. A server with known lists starts only for a call that is permitted.
  if (!managed.isReady && !managed.lists.tools.has(tool)) await managed.ready(signal);
  for (let attempt = 1; attempt <= mostChanges; attempt++) {
    const request = accessOf(call);
    const state: CallState = { origin: call.origin, tool, rounds: 0 };
    const result = await requests.perform(
      request,
      (permit) => send(call, permit, { digest: request.digest, state }),
      { signal, endingOf: (value) => endingOf(value, state) },
    );
    if (result !== undefined) return result;
  }
  throw new HostError(
    'unavailable',
    `The tool "${visibleLine(tool, 100)}" of ${server} changes all the time: the call was not sent.`,
    {
      server,
    },
  );
}

function accessOf({ managed, server, tool, args, origin }: ToolCall): ToolAccess {
  const listed = managed.lists.tools.get(tool);
  if (listed === undefined)
    throw new HostError('unknown-tool', `${server} has no tool ${JSON.stringify(visibleLine(tool, 100))}.`, {
      server,
    });
  const annotations = (managed.isTrusted ? listed.tool.annotations : undefined) ?? {};
  const { digest } = listed;
  return { kind: 'tool', server, name: tool, tool: listed.tool, digest, annotations, args, origin };
}

/** Sends a call, unless the tool has another definition by then: the server may have started again, or changed it while the user was asked. */
function send(
  call: ToolCall,
  { args = call.args, redact }: Permit,
  { digest, state }: { readonly digest: string; readonly state: CallState },
): Promise<ToolResult | undefined> {
  const { managed, tool, options } = call;
  const sent = optionsOf(options, state);
  const work = (client: Client) =>
    managed.lists.tools.get(tool)?.digest === digest ? client.callTool(tool, args, sent) : notSent;
  const used = managed.use(work, options.signal).catch((error: unknown) => {
    throw unknownOutcome(error, call, state) ?? error;
  });
  if (redact === undefined) return used;
  return used.then(async (result) => result && withFlag(await redact(result)));
}

/** Returns what is recorded of a call; its result is undefined if it was not sent. */
function endingOf(result: ToolResult | undefined, { rounds }: CallState): Ending {
  const failed = (reason: string) => ({ outcome: 'failed', reason }) as const;
  if (result === undefined) return { ended: failed('The tool changed before the call, which was not sent.') };
  if (!result.isError) return { rounds };
  const text = result.content.find((block) => block.type === 'text');
  return { rounds, ended: failed(text?.type === 'text' ? text.text : 'The tool reported an error.') };
}

/** Returns the options of a client for one request of a host. */
export function optionsOf(
  { onProgress, signal, timeout, total }: ToolCall['options'],
  state: CallState,
): CallOptions {
  const sent: { -readonly [Name in keyof CallOptions]: CallOptions[Name] } = { state };
  if (signal !== undefined) sent.signal = signal;
  if (onProgress !== undefined) sent.onProgress = onProgress;
  if (timeout !== undefined) sent.timeout = timeout;
  if (total !== undefined) sent.total = total;
  return sent;
}

/** Returns the error of a call that may have run; undefined for an error after which it certainly has not, or has ended. */
function unknownOutcome(
  cause: unknown,
  { server, tool, options }: ToolCall,
  { rounds }: CallState,
): HostError | undefined {
  if (options.signal?.aborted || isAuthError(cause)) return undefined;
  const isLost =
    (cause instanceof SessionError && (cause.reason === 'closed' || cause.reason === 'timeout')) ||
    (cause instanceof TransportError && cause.status === undefined);
  // A call that requested input has run in part.
  if (!isLost || (cause.unhandled && rounds === 0)) return undefined;
  const message = visibleLine(cause.message, 500);
  return new HostError(
    'unknown-outcome',
    `The tool "${visibleLine(tool, 100)}" of ${server} may or may not have run: ${message} Find out before you call it again.`,
    { server, cause },
  );
}

function withFlag(result: CallToolResult): ToolResult {
  return { ...result, isError: result.isError ?? false } as ToolResult;
}
