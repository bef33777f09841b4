import type { CompleteParams, CompleteResult } from '@tenon/mcp-protocol';
import type { CallOptions } from '../calls/call-options.js';
import type { Caller } from '../calls/caller.js';

/** An argument of a prompt or template, and its typed beginning. */
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
