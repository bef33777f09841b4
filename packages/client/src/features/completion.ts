import type { CompleteParams, CompleteResult } from '@tenon/mcp-protocol';
import type { CallOptions } from '../call-options.js';
import type { Caller } from '../caller.js';

/** What to complete: an argument of a prompt or template, and what was typed of it. */
export type CompletionQuery = Pick<CompleteParams, 'ref' | 'argument' | 'context'>;

/** Values for an argument. https://modelcontextprotocol.io/specification/latest/server/utilities/completion */
export async function complete(
  caller: Caller,
  query: CompletionQuery,
  options?: CallOptions,
): Promise<CompleteResult['completion']> {
  const result = await caller.call('completion/complete', query, options);
  return result.completion;
}
