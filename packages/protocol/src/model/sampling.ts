import type { Meta, Role } from './annotations.js';
import type { AudioContent, ContentBlock, ImageContent, TextContent } from './content.js';
import type { Tool } from './tools.js';

export interface ToolUseContent {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: { readonly [key: string]: unknown };
  readonly _meta?: Meta;
}

export interface ToolResultContent<Data = string> {
  readonly type: 'tool_result';
  /** Id of the tool use this answers. */
  readonly toolUseId: string;
  readonly content: readonly ContentBlock<Data>[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Meta;
}

export type SamplingContent<Data = string> =
  | TextContent
  | ImageContent<Data>
  | AudioContent<Data>
  | ToolUseContent
  | ToolResultContent<Data>;

export interface SamplingMessage<Data = string> {
  readonly role: Role;
  /** Lists, and tool content, from 2025-11-25 on. */
  readonly content: SamplingContent<Data> | readonly SamplingContent<Data>[];
  readonly _meta?: Meta;
}

export interface ModelPreferences {
  readonly hints?: readonly { readonly name?: string }[];
  /** From 0 to 1. */
  readonly costPriority?: number;
  /** From 0 to 1. */
  readonly speedPriority?: number;
  /** From 0 to 1. */
  readonly intelligencePriority?: number;
}

/** The params of a sampling request. @deprecated by 2026-07-28. */
export interface CreateMessageParams<Data = string> {
  readonly messages: readonly SamplingMessage<Data>[];
  readonly maxTokens: number;
  readonly modelPreferences?: ModelPreferences;
  readonly systemPrompt?: string;
  readonly includeContext?: 'none' | 'thisServer' | 'allServers';
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly metadata?: { readonly [key: string]: unknown };
  /** 2025-11-25 and later, for clients that declared `sampling.tools`. */
  readonly tools?: readonly Tool[];
  readonly toolChoice?: { readonly mode?: 'auto' | 'required' | 'none' };
  readonly _meta?: Meta;
}

export interface CreateMessageResult<Data = string> extends SamplingMessage<Data> {
  readonly model: string;
  /** `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or a word of the client's own. */
  readonly stopReason?: string;
}
