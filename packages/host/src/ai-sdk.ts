import { dynamicTool, jsonSchema, type ToolResultPart, type ToolSet } from 'ai';
import type { HostToolResult } from './calls/model-calls.js';
import type { Host, RunOptions, ToolsOptions } from './host.js';
import { type ResultContent, requireContentOptions } from './models/formats/model-content.js';

/** Options of {@link aiTools}. */
export interface AiToolsOptions
  extends Pick<ToolsOptions, 'user' | 'strict' | 'deferred'>,
    Pick<RunOptions, 'turn' | 'maxChars' | 'images' | 'audio' | 'timeout' | 'total' | 'onResult'> {
  /** Ends the listing of tools. Calls end with the `abortSignal` of the AI SDK. */
  readonly signal?: AbortSignal;
}

/** The output of a tool, plain JSON: the AI SDK stores it in messages, and passes it to user interfaces. */
interface AiToolOutput {
  /** The content that the model reads. */
  readonly content: ResultContent['content'];
  /** True for a failure: of the tool, of the call, or a refusal of the policy or the user. */
  readonly isError?: true;
  /** The server and its tool; undefined if the call was for a tool of the host. */
  readonly server?: string;
  readonly tool?: string;
  /** The structured content of the server, for user interfaces. It is not verified. */
  readonly structuredContent?: unknown;
}

/**
 * Returns the tools of a host for the AI SDK: `generateText({ model, tools: await aiTools(host), ... })`. Each call passes the policy, the consent and the audit log of
 * the host, with the way `model` and the id of the call. Whatever goes wrong with a call is an output with `isError`, which the model reads as an error text, and never
 * an exception; an aborted call ends as the AI SDK ends. The set does not change: list the tools again when those of a server have changed, such as before each message
 * of the user.
 *
 * Consent stays in the host. `toolApproval` of the AI SDK asks in addition, before the host does. `fingerprintTools` is not needed: the host binds consent to the digest
 * of each definition, and asks again after a change.
 * @throws HostError; RangeError as `host.tools` does; TypeError or RangeError if `maxChars` is not a number of at least 1.
 */
export async function aiTools(host: Host, options: AiToolsOptions = {}): Promise<ToolSet> {
  const { user, strict, deferred, signal, ...run } = options;
  requireContentOptions('aiTools', { for: 'ai-sdk', maxChars: run.maxChars });
  const forUser = user !== undefined && { user };
  const listed = await host.tools({
    for: 'ai-sdk',
    ...forUser,
    ...(strict && { strict }),
    ...(deferred && { deferred }),
    ...(signal && { signal }),
  });
  const tools: ToolSet = {};
  for (const [name, { inputSchema, ...definition }] of Object.entries(listed.tools))
    tools[name] = dynamicTool({
      ...definition,
      inputSchema: jsonSchema(inputSchema),
      execute: async (input, { toolCallId, abortSignal }): Promise<AiToolOutput> => {
        const call = { type: 'tool-call', toolCallId, toolName: name, input };
        const [result] = await host.run([call], {
          for: 'ai-sdk',
          ...run,
          ...forUser,
          ...(abortSignal && { signal: abortSignal }),
        });
        abortSignal?.throwIfAborted();
        return outputOf(result as HostToolResult);
      },
      toModelOutput: ({ output }) => forModel(output as AiToolOutput),
    });
  return tools;
}

function outputOf({ content, isError, server, tool, result }: HostToolResult): AiToolOutput {
  const structuredContent = result?.structuredContent;
  return {
    content,
    ...(isError && { isError }),
    ...(server !== undefined && { server }),
    ...(tool !== undefined && { tool }),
    ...(structuredContent !== undefined && { structuredContent }),
  };
}

function forModel({ content, isError }: AiToolOutput): ToolResultPart['output'] {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (isError || texts.length === content.length)
    return { type: isError ? 'error-text' : 'text', value: texts.join('\n\n') };
  return {
    type: 'content',
    value: content.map((part) =>
      part.type === 'text'
        ? { type: 'text', text: part.text }
        : { type: 'file', mediaType: part.mimeType, data: { type: 'data', data: part.data } },
    ),
  };
}
