import type { Icon, Meta } from './annotations.js';
import type { ContentBlock } from './content.js';
import type { CacheHints, InputAnswers, PageResult } from './message-members.js';

/** A JSON Schema in a definition. */
export type SchemaObject = { readonly [keyword: string]: unknown };

/** Hints about a tool. Untrusted unless the server is. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A tool's definition. */
export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly icons?: readonly Icon[];
  readonly inputSchema: SchemaObject;
  readonly outputSchema?: SchemaObject;
  readonly annotations?: ToolAnnotations;
  /** 2025-11-25 alone. */
  readonly execution?: { readonly taskSupport?: 'forbidden' | 'optional' | 'required' };
  readonly _meta?: Meta;
}

export interface ListToolsResult extends PageResult, CacheHints {
  readonly tools: readonly Tool[];
}

export interface CallToolParams extends InputAnswers {
  readonly name: string;
  readonly arguments?: { readonly [key: string]: unknown };
  /** Runs the call as a task, in 2025-11-25 only. `ttl` is in milliseconds. */
  readonly task?: { readonly ttl?: number };
  readonly _meta?: Meta;
}

/** The result of a tool call. `isError` marks a failure that the model can read and act on. */
export interface CallToolResult<Data = string> {
  readonly content: readonly ContentBlock<Data>[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Meta;
}
