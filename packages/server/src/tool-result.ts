import type { CallToolResult, ContentBlock, UnknownObject } from '@tenon/mcp-protocol';

/** What a tool's handler may return when it promises no structured output. */
export type ToolReturn = string | ContentBlock | readonly ContentBlock[] | CallToolResult | undefined | void;

const blockTypes: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'resource_link', 'resource']);

function isBlock(value: unknown): value is ContentBlock {
  return typeof value === 'object' && value !== null && blockTypes.has((value as { type?: unknown }).type);
}

function isBlocks(value: unknown): value is readonly ContentBlock[] {
  return Array.isArray(value) && value.every(isBlock);
}

/** A result whose one block is a text. */
export function textResult(text: string): CallToolResult & UnknownObject {
  return { content: [{ type: 'text', text }] };
}

/** A failure the model can read. */
export function failedResult(text: string): CallToolResult & UnknownObject {
  return { content: [{ type: 'text', text }], isError: true };
}

/** The full result a handler returned, if it is one; told from structured output by a list of content blocks. */
export function asFullResult(
  value: unknown,
  promisesOutput: boolean,
): (CallToolResult & UnknownObject) | undefined {
  if (typeof value !== 'object' || value === null || !('content' in value) || !isBlocks(value.content))
    return undefined;
  const full = value as CallToolResult & UnknownObject;
  return !promisesOutput || full.structuredContent !== undefined || full.isError === true ? full : undefined;
}

/** A result from whatever a handler returned that promises no structured output. */
export function looseResult(value: unknown): CallToolResult & UnknownObject {
  if (typeof value === 'string') return textResult(value);
  if (value === undefined || value === null) return { content: [] };
  if (isBlock(value)) return { content: [value] };
  if (isBlocks(value)) return { content: value };
  return asFullResult(value, false) ?? structuredResult(value);
}

/** A result around structured output, mirrored as text for clients that read no other. */
export function structuredResult(value: unknown): CallToolResult & UnknownObject {
  return { content: [{ type: 'text', text: JSON.stringify(value) ?? 'null' }], structuredContent: value };
}
