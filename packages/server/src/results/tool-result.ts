import type {
  Base64Input,
  CallToolResult,
  ContentBlock,
  TextContent,
  UnknownObject,
} from '@tenon/mcp-protocol';
import { withBase64 } from '@tenon/mcp-protocol/internal';
import type { CompiledSchema, Issue, Outcome } from '../schemas/schema.js';
import { contentProblem, typeProblem } from './content-problem.js';

/** The return value of a tool's handler without structured output. */
export type ToolReturn =
  | string
  | ContentBlock<Base64Input>
  | readonly ContentBlock<Base64Input>[]
  | CallToolResult<Base64Input>
  | undefined
  | void;

type Finished = CallToolResult & UnknownObject;

const blockTypes: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'resource_link', 'resource']);

function isBlock(value: unknown): value is ContentBlock {
  return typeof value === 'object' && value !== null && blockTypes.has((value as { type?: unknown }).type);
}

function isBlocks(value: unknown): value is readonly ContentBlock[] {
  return Array.isArray(value) && value.every(isBlock);
}

/** Returns a result with one text block. */
function textResult(text: string): Finished {
  return { content: [{ type: 'text', text }] };
}

/** Returns a failure with a text for the model. */
export function failedResult(text: string): Finished {
  return { content: [{ type: 'text', text }], isError: true };
}

/**
 * Returns the result of a handler without structured output.
 * @throws TypeError if content is invalid.
 */
export function looseResult(value: unknown): Finished | Promise<Finished> {
  if (typeof value === 'string') return textResult(value);
  if (value === undefined || value === null) return { content: [] };
  if (isBlock(value)) return encoded({ content: readable([value]) });
  if (isBlocks(value)) return encoded({ content: readable(value) });
  return isFull(value) ? encoded(withText(value)) : structuredResult(value);
}

/**
 * Returns the result of a handler with structured output, from the output itself, or from a full result
 * with the output or an error.
 * @param broken - returns the result for output that does not match its schema.
 * @throws TypeError if content is invalid.
 */
export function promisedResult(
  value: unknown,
  output: CompiledSchema,
  broken: (issues: readonly Issue[]) => UnknownObject,
): UnknownObject | Promise<UnknownObject> {
  // Output may have a member "content" of its own.
  const full = holdsMore(value) && isFull(value) ? value : undefined;
  if (full?.isError === true) return encoded(full);
  const finish = (outcome: Outcome): UnknownObject | Promise<UnknownObject> => {
    if (!outcome.ok) return broken(outcome.issues);
    return full === undefined
      ? structuredResult(outcome.value)
      : encoded(withText({ ...full, structuredContent: outcome.value }));
  };
  const checked = output.validate(full === undefined ? value : full.structuredContent);
  return checked instanceof Promise ? checked.then(finish) : finish(checked);
}

function holdsMore(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { structuredContent, isError } = value as { structuredContent?: unknown; isError?: unknown };
  return structuredContent !== undefined || isError === true;
}

/** @throws TypeError if a full result is invalid. */
function isFull(value: unknown): value is Finished {
  if (typeof value !== 'object' || value === null || !('content' in value) || !isBlocks(value.content))
    return false;
  readable(value.content);
  const problem = typeProblem(value as UnknownObject);
  if (problem !== undefined) throw new TypeError(`A result ${problem}.`);
  const { isError } = value as { isError?: unknown };
  if (isError === undefined || typeof isError === 'boolean') return true;
  throw new TypeError(`A result has "isError": ${JSON.stringify(isError)}; it must be true or false.`);
}

/** Returns the result with base64 in place of bytes. */
function encoded(result: Finished): Finished | Promise<Finished> {
  // Nearly every result is text: the loop costs no function call.
  for (const { type } of result.content) if (type !== 'text') return withBase64(result);
  return result;
}

function readable(content: readonly ContentBlock[]): readonly ContentBlock[] {
  for (const block of content) {
    const problem = contentProblem(block);
    if (problem !== undefined) throw new TypeError(`A content block ${problem}.`);
  }
  return content;
}

/** Returns a result with structured output, repeated as text for clients that read only text. */
function structuredResult(value: unknown): Finished {
  return { content: [mirrored(value)], structuredContent: value };
}

/** Adds a text to a full result with only structured content. */
function withText(full: Finished): Finished {
  const { structuredContent, content } = full;
  if (structuredContent === undefined || content.length > 0) return full;
  return { ...full, content: [mirrored(structuredContent)] };
}

function mirrored(value: unknown): TextContent {
  return { type: 'text', text: JSON.stringify(value) ?? 'null' };
}

/** An error of a tool's handler with a message for the model. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}
