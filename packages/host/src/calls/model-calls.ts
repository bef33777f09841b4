import { isRecord, meantOption } from '@tenon/foundation';
import { type JsonObject, RemoteError, type ToolResult } from '@tenon/mcp-client';
import type { Origin } from '../access/access-request.js';
import type { Catalogue, HostTool } from '../catalogue/catalogue.js';
import { ownTools } from '../deferred/deferred-tools.js';
import type { LongResults } from '../deferred/long-results.js';
import { HostError } from '../host-error.js';
import { type ModelContentOptions, toModelContent } from '../models/formats/model-content.js';
import { restoreArguments } from '../models/formats/restore-arguments.js';
import { visibleLine } from '../models/formats/text/visible-text.js';
import { readToolCalls } from '../models/formats/tool-calls.js';
import type { ModelToolResult } from '../models/formats/tool-results.js';
import type { ModelToolCall } from '../models/model-tool.js';

/** The result of one call of a model: content for the model, and the result or error that it was made of. */
export interface HostToolResult extends ModelToolResult {
  /** The server and its tool; undefined if the call named no tool of a server. */
  readonly server?: string;
  readonly tool?: string;
  /** The result of the server. */
  readonly result?: ToolResult;
  /** The error in place of a result. The content says the same in words for a model. */
  readonly error?: unknown;
}

/** The circumstances of the calls of one reply. */
export interface ModelCallsContext extends Omit<ModelContentOptions, 'rest'> {
  readonly user: string | undefined;
  readonly catalogue: Catalogue;
  readonly results: LongResults;
  /** Calls a tool of a server. */
  readonly callTool: (
    tool: HostTool,
    args: JsonObject,
    origin: Pick<Origin, 'way' | 'callId'>,
  ) => Promise<ToolResult>;
  /** Receives each result as soon as it is there. */
  readonly onResult?: ((result: HostToolResult) => void) | undefined;
}

/** Runs the calls of a reply at the same time. Returns a result for each, in their order. Never rejects. */
export function runModelCalls(
  reply: unknown,
  context: ModelCallsContext,
): Promise<readonly HostToolResult[]> {
  return Promise.all(
    (isNeutral(reply) ? reply : readToolCalls(reply)).map(async (call) => {
      const result = 'problem' in call ? failed(call, call.problem) : await runCall(call, context);
      context.onResult?.(result);
      return result;
    }),
  );
}

/** True for calls as `converse` passes them, which have been read. */
function isNeutral(reply: unknown): reply is readonly ModelToolCall[] {
  const isCall = (one: unknown) => isRecord(one) && typeof one.name === 'string' && isRecord(one.args);
  return Array.isArray(reply) && reply.every(isCall);
}

async function runCall(call: ModelToolCall, context: ModelCallsContext): Promise<HostToolResult> {
  const { catalogue, results, user } = context;
  const { deferred } = catalogue;
  const { id, name, args } = call;
  const tool = catalogue.find(name);
  if (tool !== undefined) return callServer(call, { context, tool, way: 'model' });
  switch (name) {
    case ownTools.search.name:
      return answered(call, deferred.search(args));
    case ownTools.describe.name: {
      const text = deferred.describe(args.name);
      return text === undefined ? unknown(call, { catalogue, name: args.name }) : answered(call, text);
    }
    case ownTools.readResult.name: {
      const text = results.read(user, args.uri, args.offset);
      return text === undefined
        ? failed(call, 'There is no such result, or it was dropped: call its tool again.')
        : answered(call, text);
    }
    case ownTools.call.name: {
      const found = typeof args.name === 'string' ? catalogue.find(args.name) : undefined;
      if (found === undefined) return unknown(call, { catalogue, name: args.name });
      const inner = args.arguments ?? {};
      if (typeof inner !== 'object' || inner === null || Array.isArray(inner))
        return failed(call, '"arguments" must be an object, by the schema of describe_tool.');
      return callServer({ id, name, args: inner as JsonObject }, { context, tool: found, way: 'search' });
    }
    default:
      return unknown(call, { catalogue, name });
  }
}

async function callServer(
  { id, name, args }: ModelToolCall,
  {
    context,
    tool,
    way,
  }: { readonly context: ModelCallsContext; readonly tool: HostTool; readonly way: Origin['way'] },
): Promise<HostToolResult> {
  const { user, results, callTool } = context;
  const place = { id, name, server: tool.server, tool: tool.tool.name };
  try {
    const result = await callTool(tool, restoreArguments(tool.tool, args), { way, callId: id });
    const rest = (full: string) => results.keep(user, full);
    const { content, isError } = toModelContent(result, { ...context, rest });
    return { ...place, result, content, ...(isError && { isError }) };
  } catch (error) {
    return { ...failed({ id, name }, textFor(error)), ...place, error };
  }
}

function answered({ id, name }: ModelToolCall, text: string): HostToolResult {
  return { id, name, content: [{ type: 'text', text }] };
}

function failed({ id, name }: Pick<ModelToolCall, 'id' | 'name'>, text: string): HostToolResult {
  return { id, name, content: [{ type: 'text', text }], isError: true };
}

/** Tools in an answer about an unknown one, at most. */
const mostNames = 50;

function unknown(
  call: ModelToolCall,
  { catalogue, name }: { readonly catalogue: Catalogue; readonly name: unknown },
): HostToolResult {
  const names = catalogue.tools.map((tool) => tool.name);
  const shown = visibleLine(String(name), 100);
  const meant =
    names.length > mostNames
      ? ' Find tools with search_tools, or use the names that were listed.'
      : meantOption(shown, names);
  return failed(call, `There is no tool ${JSON.stringify(shown)}.${meant}`);
}

/** Returns the text about an error for a model: what happened, and whether to try again. */
function textFor(error: unknown): string {
  if (error instanceof HostError && error.reason === 'denied')
    return `${error.message} Do not call it again unless the user asks for it.`;
  if (error instanceof RemoteError)
    return `The server answered with an error: ${visibleLine(error.peerMessage, 2_000)}`;
  return visibleLine(error instanceof Error ? error.message : String(error), 2_000);
}
