import type { CallToolResult, ContentBlock, TextContent, UnknownObject } from '@tenon/mcp-protocol';
import { contentFlaw, typeFlaw } from './content-flaw.js';
import type { CompiledSchema, Issue, Outcome } from './schemas/schema.js';

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
function textResult(text: string): CallToolResult & UnknownObject {
  return { content: [{ type: 'text', text }] };
}

/** A failure the model can read. */
export function failedResult(text: string): CallToolResult & UnknownObject {
  return { content: [{ type: 'text', text }], isError: true };
}

/**
 * A result from whatever a handler returned that promises no structured output.
 * @throws TypeError for content that no client could read.
 */
export function looseResult(value: unknown): CallToolResult & UnknownObject {
  if (typeof value === 'string') return textResult(value);
  if (value === undefined || value === null) return { content: [] };
  if (isBlock(value)) return { content: readable([value]) };
  if (isBlocks(value)) return { content: readable(value) };
  return isFull(value) ? withText(value) : structuredResult(value);
}

/**
 * A result from whatever a handler returned that promises structured output: the output itself, or a full result
 * that holds it or says that there was an error.
 * @param broken - makes the result for output that does not keep the promise.
 * @throws TypeError for content that no client could read.
 */
export function promisedResult(
  value: unknown,
  output: CompiledSchema,
  broken: (issues: readonly Issue[]) => UnknownObject,
): UnknownObject | Promise<UnknownObject> {
  // Output may have a member "content" of its own.
  const full = holdsMore(value) && isFull(value) ? value : undefined;
  if (full?.isError === true) return full;
  const finish = (outcome: Outcome) => {
    if (!outcome.ok) return broken(outcome.issues);
    return full === undefined
      ? structuredResult(outcome.value)
      : withText({ ...full, structuredContent: outcome.value });
  };
  const checked = output.validate(full === undefined ? value : full.structuredContent);
  return checked instanceof Promise ? checked.then(finish) : finish(checked);
}

function holdsMore(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { structuredContent, isError } = value as { structuredContent?: unknown; isError?: unknown };
  return structuredContent !== undefined || isError === true;
}

/** @throws TypeError for a full result that no client could read. */
function isFull(value: unknown): value is CallToolResult & UnknownObject {
  if (typeof value !== 'object' || value === null || !('content' in value) || !isBlocks(value.content))
    return false;
  readable(value.content);
  const flaw = typeFlaw(value as UnknownObject);
  if (flaw !== undefined) throw new TypeError(`A result ${flaw}.`);
  const { isError } = value as { isError?: unknown };
  if (isError === undefined || typeof isError === 'boolean') return true;
  throw new TypeError(`A result has "isError": ${JSON.stringify(isError)}; it must be true or false.`);
}

function readable(content: readonly ContentBlock[]): readonly ContentBlock[] {
  for (const block of content) {
    const flaw = contentFlaw(block);
    if (flaw !== undefined) throw new TypeError(`A content block ${flaw}.`);
  }
  return content;
}

/** A result around structured output, mirrored as text for clients that read no other. */
function structuredResult(value: unknown): CallToolResult & UnknownObject {
  return { content: [mirrored(value)], structuredContent: value };
}

/** A full result whose structured content is not all there is to read. */
function withText(full: CallToolResult & UnknownObject): CallToolResult & UnknownObject {
  const { structuredContent, content } = full;
  if (structuredContent === undefined || content.length > 0) return full;
  return { ...full, content: [mirrored(structuredContent)] };
}

function mirrored(value: unknown): TextContent {
  return { type: 'text', text: JSON.stringify(value) ?? 'null' };
}
