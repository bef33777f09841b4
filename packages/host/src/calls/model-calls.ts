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
import { readToolCalls, type ToolCallProblem } from '../models/formats/tool-calls.js';
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
  readonly onError: (error: unknown, where: string) => void;
  /** Receives each result as soon as it is there. */
  readonly onResult?: ((result: HostToolResult) => void) | undefined;
}

type ReadCall = ModelToolCall | ToolCallProblem;

/** Calls of one reply. */
const mostCalls = 128;

/** Returns the calls of a reply in any format, or of a list of calls that was read already, as `converse` passes it. */
export function callsOf(reply: unknown): readonly ReadCall[] {
  const isCall = (one: unknown): one is ModelToolCall =>
    isRecord(one) && typeof one.id === 'string' && typeof one.name === 'string' && isRecord(one.args);
  if (!Array.isArray(reply) || !reply.every(isCall)) return readToolCalls(reply);
  const problem = `The call did not run: a reply may have ${mostCalls} calls. Make it again.`;
  return reply.map((call, index) => (index < mostCalls ? call : { id: call.id, name: call.name, problem }));
}

/** True for a call that needs no tool besides those of the catalogue. */
export function isKnownTo(catalogue: Catalogue, call: ReadCall): boolean {
  if ('problem' in call || call.name === ownTools.readResult.name) return true;
  const { name } = call.name === ownTools.call.name ? call.args : call;
  return typeof name === 'string' && catalogue.findForModel(name) !== undefined;
}

/** Runs calls at the same time. Returns a result for each, in their order. Never rejects. */
export function runModelCalls(
  calls: readonly ReadCall[],
  context: ModelCallsContext,
): Promise<readonly HostToolResult[]> {
  return Promise.all(
    calls.map(async (call) => {
      const result = 'problem' in call ? failed(call, call.problem) : await runCall(call, context);
      try {
        context.onResult?.(result);
      } catch (error) {
        context.onError(error, 'onResult');
      }
      return result;
    }),
  );
}

async function runCall(call: ModelToolCall, context: ModelCallsContext): Promise<HostToolResult> {
  const { catalogue, results, user } = context;
  const { deferred } = catalogue;
  const { id, name, args } = call;
  const tool = catalogue.findForModel(name);
  if (tool !== undefined) return callServer(call, { context, tool, way: 'model' });
  switch (name) {
    case ownTools.search.name:
      return answered(call, await deferred.search(args));
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
      const found = typeof args.name === 'string' ? catalogue.findForModel(args.name) : undefined;
      if (found === undefined) return unknown(call, { catalogue, name: args.name });
      const inner = args.arguments ?? {};
      if (!isRecord(inner))
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
  const names = catalogue.forModels.map((tool) => tool.name);
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
