import type { ContentBlock, MessageContent } from '@langchain/core/messages';
import { ToolMessage } from '@langchain/core/messages';
import {
  DynamicStructuredTool,
  type StructuredToolCallInput,
  ToolInputParsingException,
  type ToolReturnType,
  type ToolRunnableConfig,
  type ToolSchemaBase,
} from '@langchain/core/tools';
import { isRecord, randomId } from '@tenon/foundation';
import type { JsonObject, SchemaObject } from '@tenon/mcp-protocol';
import type { HostToolResult } from './calls/model-calls.js';
import type { Host, RunOptions, ToolsOptions } from './host.js';
import { requireContentOptions } from './models/formats/model-content.js';
import { restoreArguments } from './models/formats/restore-arguments.js';

/** Options of {@link langchainTools}. */
export interface LangchainToolsOptions
  extends Pick<ToolsOptions, 'user' | 'deferred'>,
    Pick<RunOptions, 'turn' | 'maxChars' | 'images' | 'audio' | 'timeout' | 'total' | 'onResult'> {
  /** Ends the listing of tools. Calls end with the signal of LangChain. */
  readonly signal?: AbortSignal;
}

/**
 * Returns the tools of a host for LangChain: `createAgent({ model, tools: await langchainTools(host) })`. Each call passes the policy, the consent and the audit log of the
 * host, with the way `model` and the id of the call, or that of the run for a call without one. The content of a result is what a model may read, as text or as content
 * blocks; the artifact is the result of the server as it is, undefined if there is none. Whatever goes wrong with a call is a message with the status `error`, and never
 * an exception, but for an aborted call. LangChain checks arguments against the schema before the host does.
 *
 * The list does not change: list the tools again when those of a server have changed, such as before each message of the user.
 * @throws HostError; RangeError as `host.tools` does; TypeError or RangeError if `maxChars` is not a number of at least 1.
 */
export async function langchainTools(
  host: Host,
  options: LangchainToolsOptions = {},
): Promise<DynamicStructuredTool[]> {
  const { user, deferred, signal, ...run } = options;
  requireContentOptions('langchainTools', { for: 'ai-sdk', maxChars: run.maxChars });
  const forUser = user !== undefined && { user };
  const { tools } = await host.tools({
    for: 'ai-sdk',
    ...forUser,
    ...(deferred && { deferred }),
    ...(signal && { signal }),
  });
  return Object.entries(tools).map(([name, { description, inputSchema }]) => {
    const call = async (input: unknown, id: string, aborts: AbortSignal | undefined) => {
      const calls = [{ type: 'tool-call', toolCallId: id, toolName: name, input }];
      const runOptions: RunOptions = { for: 'ai-sdk', ...run, ...forUser, ...(aborts && { signal: aborts }) };
      const [result] = await host.run(calls, runOptions);
      aborts?.throwIfAborted();
      return result as HostToolResult;
    };
    return new LangchainTool({ name, description, schema: inputSchema, call });
  });
}

interface LangchainToolParts {
  readonly name: string;
  readonly description: string;
  readonly schema: SchemaObject;
  readonly call: (input: unknown, id: string, aborts: AbortSignal | undefined) => Promise<HostToolResult>;
}

/** A tool that answers every failure with a message. LangChain itself throws for arguments that do not match the schema. */
class LangchainTool extends DynamicStructuredTool {
  constructor({ name, description, schema, call }: LangchainToolParts) {
    super({
      ...{ name, description, schema: schema as ToolSchemaBase },
      responseFormat: 'content_and_artifact',
      verboseParsingErrors: true,
      func: async (input: unknown, manager, config?: ToolRunnableConfig) => {
        const id = config?.toolCall?.id;
        const runId = manager?.runId ?? randomId();
        const result = await call(input, id ?? runId, config?.signal);
        const content = contentOf(result);
        const { result: artifact } = result;
        return [result.isError ? failure(content, { id, name, artifact }) : content, artifact];
      },
    });
  }

  override async invoke<
    Input extends StructuredToolCallInput<ToolSchemaBase>,
    Config extends ToolRunnableConfig | undefined,
  >(input: Input, config?: Config): Promise<ToolReturnType<Input, Config, unknown>> {
    const call = isToolCall(input) ? input : config?.toolCall;
    try {
      return await super.invoke(this.#restored(input), config);
    } catch (error) {
      if (!(error instanceof ToolInputParsingException)) throw error;
      const text = `${error.message}\nMake the call again with arguments that match the schema.`;
      return failure(text, { id: call?.id, name: this.name }) as ToolReturnType<Input, Config, unknown>;
    }
  }

  /** Models send null for optional arguments, which the check of LangChain rejects. */
  #restored<Input>(input: Input): Input {
    const args: unknown = isToolCall(input) ? input.args : input;
    if (!isRecord(args)) return input;
    const restored = restoreArguments(
      { inputSchema: this.schema as SchemaObject & { type: 'object' } },
      args as JsonObject,
    );
    return (isToolCall(input) ? { ...input, args: restored } : restored) as Input;
  }
}

function isToolCall(input: unknown): input is { readonly args: unknown; readonly id?: string } {
  return isRecord(input) && input.type === 'tool_call';
}

/** Returns a failure as LangChain has it: a message where there is a call to answer, its content elsewhere. */
function failure(
  content: MessageContent,
  {
    id,
    name,
    artifact,
  }: { readonly id: string | undefined; readonly name: string; readonly artifact?: unknown },
): ToolMessage | MessageContent {
  if (id === undefined) return content;
  return new ToolMessage({ status: 'error', content, tool_call_id: id, name, artifact });
}

/** Returns a text, or blocks that every integration of a model in LangChain reads. */
function contentOf({ content }: HostToolResult): MessageContent {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (texts.length === content.length) return texts.join('\n\n');
  return content.map(
    (part): ContentBlock =>
      part.type === 'text'
        ? { type: 'text', text: part.text }
        : { type: part.type, source_type: 'base64', mime_type: part.mimeType, data: part.data },
  );
}
