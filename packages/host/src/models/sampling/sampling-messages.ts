import type {
  CreateMessageParams,
  CreateMessageResult,
  JsonObject,
  SamplingContent,
  SamplingMessage,
  Tool,
} from '@tenon/mcp-protocol';
import { readableBlock } from '../formats/model-content.js';
import { nameTools, type ToolNames } from '../formats/names.js';
import { visibleJson, visibleText } from '../formats/text/visible-text.js';
import { joinedText, type ModelBlock, type ModelMessage, type ModelReply } from '../model.js';
import type { ModelTool } from '../model-tool.js';

/** All tools are of one server here. */
const server = 'server';

/** The names of the tools of one request, in both directions. Models accept fewer characters in a name than MCP does. */
export class SamplingNames {
  readonly #names: ToolNames;

  constructor({ tools = [], messages }: CreateMessageParams) {
    const offered = tools.map(({ name }) => name);
    const used = messages.flatMap(({ content }) =>
      listOf(content).flatMap((block) => (block.type === 'tool_use' ? [block.name] : [])),
    );
    this.#names = nameTools(
      [...offered, ...used].map((tool) => ({ server, tool })),
      { prefix: 'collision' },
    );
  }

  /** Returns the name for the model. */
  forModel(name: string): string {
    return this.#names.nameOf(server, name) ?? name;
  }

  /** Returns the server's name; undefined if no tool has the name. */
  ofServer(name: string): string | undefined {
    return this.#names.pairs.get(name)?.tool;
  }
}

/** Returns the tools for a model. */
export function offeredTools(tools: readonly Tool[], names: SamplingNames): readonly ModelTool[] {
  return tools.map((tool) => ({ name: names.forModel(tool.name), server, tool }));
}

/** Returns the messages for a model. */
export function modelMessages(
  messages: CreateMessageParams['messages'],
  names: SamplingNames,
): readonly ModelMessage[] {
  return messages.map(({ role, content }) => ({
    role,
    content: listOf(content).map((block) => modelBlock(block, names)),
  }));
}

function listOf(content: SamplingMessage['content']): readonly SamplingContent[] {
  return Array.isArray(content) ? content : [content as SamplingContent];
}

/** Returns a block without hidden characters: its texts, and those in arguments of calls, are of the server. */
function modelBlock(block: SamplingContent, names: SamplingNames): ModelBlock {
  if (block.type === 'tool_use') {
    const { id, name, input } = block;
    return { type: 'tool_call', id, name: names.forModel(name), args: visibleJson(input as JsonObject) };
  }
  if (block.type !== 'tool_result') return readableBlock(block);
  const { toolUseId: id, content, structuredContent, isError } = block;
  const blocks = content.map(readableBlock);
  if (blocks.length === 0 && structuredContent !== undefined)
    blocks.push({ type: 'text', text: visibleText(JSON.stringify(structuredContent)) });
  return { type: 'tool_result', id, content: blocks, ...(isError && { isError }) };
}

/** Returns a reply as the answer to a server. @param calls - those of the reply, with the server's names. */
export function samplingResult(
  { content, model, stopReason }: ModelReply,
  calls: readonly Extract<SamplingContent, { readonly type: 'tool_use' }>[],
): CreateMessageResult {
  const text = joinedText(content);
  const said: SamplingMessage['content'] = { type: 'text', text };
  // Revisions without tools have one block of content.
  const blocks = calls.length === 0 ? said : [...(text === '' ? [] : [said]), ...calls];
  return { role: 'assistant', content: blocks, model, stopReason };
}
