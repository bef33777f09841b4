import {
  type CallToolParams,
  type CallToolResult,
  type Contract,
  SessionError,
  type Tool,
} from '@tenon/mcp-protocol';
import type { CallOptions } from '../call-options.js';
import type { Caller } from '../caller.js';
import type { OutputSchemas } from '../output-schemas.js';
import { type ListSettings, Pages, pageParams } from './pagination.js';

/** Names of the tools of a contract. */
export type ToolName<C extends Contract> = keyof C['tools'] & string;

/** What a tool takes. */
export type ToolInput<C extends Contract, N extends ToolName<C>> = C['tools'][N] extends {
  readonly input: infer I;
}
  ? I
  : { readonly [key: string]: unknown };

/** What a tool gives as structured content. */
export type ToolOutput<C extends Contract, N extends ToolName<C>> = C['tools'][N] extends {
  readonly output: infer O;
}
  ? O
  : unknown;

/** Arguments and options of a call; the arguments may be left out where none is required. */
export type CallArguments<Input> =
  Record<never, never> extends Input
    ? [args?: Input, options?: CallOptions]
    : [args: Input, options?: CallOptions];

/** What a tool call came to. */
export interface ToolResult<Output = unknown> extends CallToolResult {
  /** Absent when the call failed, and in revisions without structured content. */
  readonly structuredContent?: Output;
  /** The call failed in a way a model can read in `content` and act on. */
  readonly isError: boolean;
}

/** Reads `tools/list`; output schemas are kept to check results by. */
export function listTools(
  caller: Caller,
  schemas: OutputSchemas,
  { limit, call }: ListSettings,
): Pages<Tool> {
  return new Pages(async (cursor) => {
    const { tools: items, ...rest } = await caller.call('tools/list', pageParams(cursor), call);
    schemas.remember(items);
    return { ...rest, items };
  }, limit);
}

/**
 * Calls a tool.
 * https://modelcontextprotocol.io/specification/latest/server/tools#calling-tools
 */
export async function callTool(
  caller: Caller,
  schemas: OutputSchemas,
  { name, args, options }: { name: string; args: object | undefined; options: CallOptions | undefined },
): Promise<ToolResult> {
  const params = args === undefined ? { name } : { name, arguments: args };
  const result = await caller.call('tools/call', params as CallToolParams, options);
  const judged = result.isError === undefined ? { ...result, isError: false } : (result as ToolResult);
  if (judged.isError || !schemas.knows(name)) return judged;
  const flaw = await schemas.flaw(name, judged.structuredContent);
  if (flaw === undefined) return judged;
  throw new SessionError(
    'invalid-answer',
    `The result of the tool "${name}" does not match its schema: ${flaw}`,
  );
}
