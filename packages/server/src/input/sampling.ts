import type { CreateMessageParams, SamplingContent, SamplingMessage } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { CallPort } from '../core/call-port.js';

/**
 * Checks the params of a sampling request before it is sent.
 * @throws RangeError if `maxTokens` is not a positive integer; TypeError if a message has no role or content, or
 * tool uses and results do not match.
 */
export function checkSampling(params: CreateMessageParams): void {
  if (!Number.isInteger(params.maxTokens) || params.maxTokens <= 0) {
    throw new RangeError(`maxTokens must be a positive integer, not ${params.maxTokens}.`);
  }
  let open: readonly string[] = [];
  for (const [index, message] of params.messages.entries()) {
    checkMessage(message, index);
    const results = answered(message, index);
    if (!sameIds(open, results)) {
      throw new TypeError(
        `Message ${index} must answer exactly the tool uses of the message before it: ${open.join(', ') || 'none'}.`,
      );
    }
    open = blocksOf(message).flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    if (open.length > 0 && message.role !== 'assistant') {
      throw new TypeError(`Message ${index} uses tools but its role is not "assistant".`);
    }
  }
  if (open.length > 0)
    throw new TypeError(`The last message leaves tool uses unanswered: ${open.join(', ')}.`);
}

/**
 * Returns the params for a client that may not have declared `sampling.context`: without context if required.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#capabilities
 */
export function withinCapabilities(
  params: CreateMessageParams,
  { revision, from }: Pick<CallPort, 'revision' | 'from'>,
): CreateMessageParams {
  if (params.includeContext === undefined || !revision.rules.inputFeatures.samplingTools) return params;
  if (from.clientCapabilities.sampling?.context !== undefined) return params;
  const { includeContext: _, ...rest } = params;
  return rest;
}

const kinds: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'tool_use', 'tool_result']);

function checkMessage(message: SamplingMessage, index: number): void {
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant')
    throw new TypeError(`Message ${index} needs a role: "user" or "assistant".`);
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  if (!blocks.every((block) => isObject(block) && kinds.has(block.type)))
    throw new TypeError(`Message ${index} needs content: blocks of type ${[...kinds].join(', ')}.`);
}

function answered(message: SamplingMessage, index: number): readonly string[] {
  const blocks = blocksOf(message);
  const results = blocks.flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : []));
  if (results.length === 0) return results;
  if (results.length < blocks.length || message.role !== 'user') {
    throw new TypeError(
      `Message ${index} has tool results, so its role must be "user" and it may hold nothing else.`,
    );
  }
  return results;
}

function blocksOf(message: SamplingMessage): readonly SamplingContent[] {
  return Array.isArray(message.content) ? message.content : [message.content as SamplingContent];
}

function sameIds(left: readonly string[], right: readonly string[]): boolean {
  const known = new Set(left);
  return (
    known.size === new Set(right).size && left.length === right.length && right.every((id) => known.has(id))
  );
}
