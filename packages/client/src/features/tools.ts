import {
  type CallToolParams,
  type CallToolResult,
  type Contract,
  ErrorCode,
  RemoteError,
  SessionError,
  type Tool,
} from '@tenon/mcp-protocol';
import type { Call, CallPreparation } from '../calls/call.js';
import type { CallLimits } from '../calls/call-limits.js';
import { type CallOptions, withMeta } from '../calls/call-options.js';
import type { Caller } from '../calls/caller.js';
import type { OutputSchemas } from '../calls/output-schemas.js';
import type { ToolHeaders } from '../calls/tool-headers.js';
import type { RepeatableTools } from '../session/retry.js';
import { mirrorsParams, type Session } from '../session/session.js';
import { type ListBounds, type ListSettings, Pages, pageParams } from './pagination.js';

/** Names of the tools of a contract. */
export type ToolName<C extends Contract> = keyof C['tools'] & string;

/** The arguments of a tool. */
export type ToolInput<C extends Contract, N extends string> = [N] extends [keyof C['tools']]
  ? C['tools'][N] extends { readonly input: infer I }
    ? I
    : { readonly [key: string]: unknown }
  : { readonly [key: string]: unknown };

/**
 * Structured content of an unknown type. Read its members, and check them with `typeof` or `Array.isArray`. From 2026-07-28 on a server
 * may send a text or another JSON value instead of an object: all members are undefined then.
 */
export interface UntypedOutput {
  readonly [member: string]: UntypedValue | undefined;
}

/** A JSON value of an unknown type. */
export type UntypedValue = string | number | boolean | null | UntypedValue[] | UntypedOutput;

/** The structured content of a tool. */
export type ToolOutput<C extends Contract, N extends string> = [N] extends [keyof C['tools']]
  ? C['tools'][N] extends { readonly output: infer O }
    ? unknown extends O
      ? UntypedOutput
      : O
    : UntypedOutput
  : UntypedOutput;

/** Arguments and options of a call; the arguments may be left out where none is required. */
export type CallArguments<Input> =
  Record<never, never> extends Input
    ? [args?: Input, options?: CallOptions]
    : [args: Input, options?: CallOptions];

/** The result of a tool call. */
export interface ToolResult<Output = UntypedOutput> extends CallToolResult {
  /** Absent when the call failed, and in revisions without structured content. */
  readonly structuredContent?: Output;
  /** The call failed in a way a model can read in `content` and act on. */
  readonly isError: boolean;
  /** The result of a server of a draft before 2024-11-05; `content` has it as text. Not checked. */
  readonly toolResult?: unknown;
}

/** Characters of a stored name of a tool with calls that may be repeated: the stored names have no bound of bytes together. */
const longestName = 1_024;

/** The data that a client keeps about listed tools. */
export interface KnownTools {
  readonly schemas: OutputSchemas;
  readonly headers: ToolHeaders;
  readonly repeatable: RepeatableTools;
  /** Undefined if no extension changes the params of tool calls. */
  readonly preparation: CallPreparation | undefined;
  /** The most that is read of the list in search of a tool. */
  readonly bounds: ListBounds;
}

/**
 * Reads `tools/list`. Stores the output schemas, which results are checked by, and the params that are repeated in headers. In
 * revisions with such headers, tools with invalid annotations of headers are left out.
 */
export function listTools(caller: Caller, known: KnownTools, { bounds, call }: ListSettings): Pages<Tool> {
  return new Pages('tools/list', bounds, async (cursor) => {
    const { tools, ...rest } = await caller.read('tools/list', pageParams(cursor), call);
    const { session } = caller.supervisor;
    const items = session !== undefined && mirrorsParams(session) ? known.headers.sift(tools) : tools;
    known.schemas.remember(items);
    known.repeatable.remember(items.filter(({ name }) => name.length <= longestName));
    known.preparation?.remember(items);
    return { ...rest, items };
  });
}

export interface ToolCall {
  readonly name: string;
  readonly args: object | undefined;
  readonly options: CallOptions | undefined;
}

/**
 * Calls a tool.
 * https://modelcontextprotocol.io/specification/latest/server/tools#calling-tools
 */
export function callTool(caller: Caller, known: KnownTools, call: ToolCall): Promise<ToolResult> {
  return caller.perform(new CheckedCall(caller, known, call));
}

/** Checks the result of a tool that was not the answer to its call. @throws SessionError `invalid-answer` if it does not match its schema. */
export function checkedResult(
  caller: Caller,
  known: KnownTools,
  { name, result }: { readonly name: string; readonly result: CallToolResult },
): ToolResult | Promise<ToolResult> {
  return new CheckedCall(caller, known, { name, args: undefined, options: undefined }).read(result);
}

/** A tool call; checks the result by the output schema of the tool. */
class CheckedCall implements Call<'tools/call', ToolResult> {
  readonly method = 'tools/call';
  params: CallToolParams;
  readonly options: CallOptions | undefined;
  readonly #caller: Caller;
  readonly #known: KnownTools;

  constructor(caller: Caller, known: KnownTools, { name, args, options }: ToolCall) {
    this.#caller = caller;
    this.#known = known;
    const params = (args === undefined ? { name } : { name, arguments: args }) as CallToolParams;
    this.params = withMeta(params, options);
    this.options = options;
  }

  resultOf(given: CallToolResult): ToolResult | Promise<ToolResult> {
    return given.isError === true && this.#mayLackParams() ? this.#prepared(given) : this.read(given);
  }

  /** Returns the result of a call after its checks. */
  read(given: CallToolResult): ToolResult | Promise<ToolResult> {
    const { name } = this.params;
    let result = given;
    // A result can be a task in one revision, which an extension handles.
    if (given.content === undefined)
      throw new SessionError(
        'invalid-answer',
        `The server answered the call of the tool "${name}" with a task.`,
      );
    // By index, and nothing called: few results hold links, and each call would pay for the look.
    for (let index = 0; index < given.content.length; index++) {
      if (given.content[index]?.type !== 'resource_link') continue;
      result = { ...given, content: this.#caller.icons.cleanLinks(given.content) };
      break;
    }
    const checked = (result.isError === undefined ? { ...result, isError: false } : result) as ToolResult;
    if (checked.isError || !this.#known.schemas.knows(name)) return checked;
    return this.#checked(checked);
  }

  /** True if the tool may not have run, for want of params that an extension adds once it knows the tool. */
  #mayLackParams(isListed = false): boolean {
    const { session } = this.#caller.supervisor;
    const { preparation } = this.#known;
    const { options, params } = this;
    if (session === undefined || preparation === undefined || preparation.knows(params.name) !== isListed)
      return false;
    return preparation.mayLackParams(params, { options, session });
  }

  /** Reads the list, and calls the tool again if an extension adds params. */
  async #prepared(failed: CallToolResult): Promise<ToolResult> {
    const { options, params } = this;
    await this.#listed(options?.signal);
    const { session } = this.#caller.supervisor;
    if (session === undefined || !this.#mayLackParams(true)) return this.read(failed);
    const prepared = this.#known.preparation?.prepare(params, { options, session });
    return prepared === params ? this.read(failed) : this.#caller.perform(this);
  }

  async #checked(result: ToolResult): Promise<ToolResult> {
    const { name } = this.params;
    const problem = await this.#known.schemas.problem(name, result.structuredContent);
    if (problem === undefined) return result;
    throw new SessionError(
      'invalid-answer',
      `The result of the tool "${name}" does not match its schema: ${problem}`,
    );
  }

  /**
   * Reads the list again when the call lacked headers that the list names, or params that an extension adds once it knows the tool.
   * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#client-behavior
   * @returns false for other errors, and if the list does not have the tool: then the call is not worth repeating.
   */
  async fix(error: unknown, limits: CallLimits): Promise<boolean> {
    const { session } = this.#caller.supervisor;
    if (!(error instanceof RemoteError) || session === undefined) return false;
    if (error.code === ErrorCode.methodNotFound) return this.#lacksParams(session, limits);
    return error.code === ErrorCode.headerMismatch && mirrorsParams(session) && this.#isListed(limits);
  }

  async #lacksParams(session: Session, limits: CallLimits): Promise<boolean> {
    const { preparation } = this.#known;
    const { options, params } = this;
    if (preparation === undefined || preparation.knows(params.name)) return false;
    return (await this.#isListed(limits)) && preparation.prepare(params, { options, session }) !== params;
  }

  async #isListed(limits: CallLimits): Promise<boolean> {
    return (await this.#listed(limits.begin().signal)) !== undefined;
  }

  /** Reads the list until the tool is found. */
  async #listed(signal: AbortSignal | undefined): Promise<Tool | undefined> {
    const call = signal === undefined ? { fresh: true } : { fresh: true, signal };
    const settings = { bounds: this.#known.bounds, call };
    try {
      for await (const tool of listTools(this.#caller, this.#known, settings)) {
        if (tool.name === this.params.name) return tool;
      }
    } catch {
      // The error of the call is more useful than that of the list.
    }
    return undefined;
  }
}
