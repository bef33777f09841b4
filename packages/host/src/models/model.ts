import type { AudioContent, ImageContent, JsonObject, TextContent } from '@tenon/mcp-protocol';
import type { ModelTool, ModelToolCall } from './model-tool.js';

/** A text, image or sound. Data is base64. */
export type ModelContent = TextContent | ImageContent | AudioContent;

/** A call that the model made, in a message of the assistant. */
export interface ToolCallBlock extends ModelToolCall {
  readonly type: 'tool_call';
  /** The reason why the arguments of the model are unusable; `args` is empty then. Never run such a call. */
  readonly problem?: string;
}

/** The result of a call, in the message of the user that follows the call. */
export interface ToolResultBlock {
  readonly type: 'tool_result';
  /** The id of the call. */
  readonly id: string;
  readonly content: readonly ModelContent[];
  /** True for a failure that the model can read and act on. */
  readonly isError?: boolean;
}

/**
 * A block that only one API understands, such as the signed reasoning of Claude. It goes back unchanged to a model with the same
 * format; models with another format do not receive it.
 */
export interface OpaqueBlock {
  readonly type: 'opaque';
  readonly format: string;
  readonly value: JsonObject;
}

/** A part of a message. */
export type ModelBlock = ModelContent | ToolCallBlock | ToolResultBlock | OpaqueBlock;

/** A message of a conversation. Each call of an assistant has its result in the next message. */
export interface ModelMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly ModelBlock[];
}

/** The input of a model for one reply. */
export interface ModelRequest {
  readonly system?: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  /** `required`: the model must call a tool; `none`: it must not. Some endpoints ignore both. */
  readonly toolChoice: 'auto' | 'required' | 'none';
  /** The most tokens of the reply. Default: the model's own. */
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
}

/**
 * The reason for the end of a reply, in the words of MCP's sampling. `refusal`: the provider or the model declined; `other`: another
 * reason of the provider.
 */
export type StopReason = 'endTurn' | 'toolUse' | 'maxTokens' | 'stopSequence' | 'refusal' | 'other';

/** Tokens. Estimated from the number of characters if the endpoint reports none. */
export interface ModelUsage {
  readonly input: number;
  readonly output: number;
}

/** The reply of a model. */
export interface ModelReply {
  readonly content: readonly (TextContent | ToolCallBlock | OpaqueBlock)[];
  readonly stopReason: StopReason;
  readonly usage: ModelUsage;
  /** The model as the endpoint names it. */
  readonly model: string;
}

/** The options of one reply. */
export interface ReplyOptions {
  /** Ends the request. The reply rejects with a ModelError `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the text of the reply in parts, in order, as it arrives. An error that it throws ends the reply. */
  readonly onText?: ((text: string) => void) | undefined;
}

/**
 * A language model. Implement it for other APIs; {@link openAiModel} and {@link anthropicModel} speak the two common formats,
 * {@link scriptedModel} needs no network.
 */
export interface Model {
  /** The name for people, hints and errors. */
  readonly name: string;
  /** Returns one reply. Does not run tools. @throws ModelError */
  reply(request: ModelRequest, options?: ReplyOptions): Promise<ModelReply>;
}

/** Returns the calls in the content of a reply. */
export function callsIn(content: readonly ModelBlock[]): readonly ToolCallBlock[] {
  return content.filter((block) => block.type === 'tool_call');
}

/** Returns the text in content, without separators. */
export function joinedText(content: readonly ModelBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}
