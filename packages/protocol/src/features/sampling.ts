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

export interface ToolResultContent {
  readonly type: 'tool_result';
  /** Id of the tool use this answers. */
  readonly toolUseId: string;
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Meta;
}

export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent;

export interface SamplingMessage {
  readonly role: Role;
  /** Lists, and tool content, from 2025-11-25 on. */
  readonly content: SamplingContent | readonly SamplingContent[];
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

/** What a server asks a client's model. @deprecated by 2026-07-28. */
export interface CreateMessageParams {
  readonly messages: readonly SamplingMessage[];
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

export interface CreateMessageResult extends SamplingMessage {
  readonly model: string;
  /** `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or a word of the client's own. */
  readonly stopReason?: string;
}
