import {
  type ContentBlock,
  type CreateMessageParams,
  type CreateMessageResult,
  type JsonObject,
  type SamplingContent,
  type SamplingMessage,
  type Tool,
  textOf,
} from '@tenon/mcp-protocol';
import {
  joinedText,
  type ModelBlock,
  type ModelContent,
  type ModelMessage,
  type ModelReply,
} from '../model.js';
import type { ModelTool } from '../model-tool.js';

const longestName = 64;

/** The names of tools in both directions. Models accept fewer characters in a name than MCP does. */
export class ToolNames {
  readonly #forModel = new Map<string, string>();
  readonly #ofServer = new Map<string, string>();

  /** Returns the name for the model. */
  forModel(name: string): string {
    const known = this.#forModel.get(name);
    if (known !== undefined) return known;
    const plain = name.replace(/[^A-Za-z0-9_-]/g, '_').replace(/^(?![A-Za-z_])/, '_');
    let [own, count] = [plain.slice(0, longestName), 1];
    while (this.#ofServer.has(own)) {
      const suffix = `_${++count}`;
      own = plain.slice(0, longestName - suffix.length) + suffix;
    }
    this.#forModel.set(name, own);
    this.#ofServer.set(own, name);
    return own;
  }

  /** Returns the server's name; undefined if no tool has the name. */
  ofServer(name: string): string | undefined {
    return this.#ofServer.get(name);
  }
}

/** Returns the tools for a model. */
export function modelTools(tools: readonly Tool[], names: ToolNames): readonly ModelTool[] {
  return tools.map((tool) => ({ name: names.forModel(tool.name), server: '', tool }));
}

/** Returns the messages for a model. */
export function modelMessages(
  messages: CreateMessageParams['messages'],
  names: ToolNames,
): readonly ModelMessage[] {
  return messages.map(({ role, content }) => {
    const blocks = (Array.isArray(content) ? content : [content]) as readonly SamplingContent[];
    return { role, content: blocks.map((block) => modelBlock(block, names)) };
  });
}

function modelBlock(block: SamplingContent, names: ToolNames): ModelBlock {
  if (block.type === 'tool_use') {
    const { id, name, input } = block;
    return { type: 'tool_call', id, name: names.forModel(name), args: input as JsonObject };
  }
  if (block.type !== 'tool_result') return block;
  const { toolUseId: id, content, structuredContent, isError } = block;
  const blocks = content.map((one) => resultBlock(one));
  const structured = structuredContent === undefined ? undefined : JSON.stringify(structuredContent);
  const all: readonly ModelContent[] =
    blocks.length === 0 && structured !== undefined ? [{ type: 'text', text: structured }] : blocks;
  return { type: 'tool_result', id, content: all, ...(isError && { isError }) };
}

/** Returns a resource as text: models know neither resources nor links to them. */
function resultBlock(block: ContentBlock): ModelContent {
  if (block.type === 'resource_link') return { type: 'text', text: `${block.name}: ${block.uri}` };
  if (block.type !== 'resource') return block;
  const { uri, mimeType = 'unknown' } = block.resource;
  const text = textOf(block.resource);
  return { type: 'text', text: text === '' ? `[the resource ${uri}, of the type ${mimeType}]` : text };
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
