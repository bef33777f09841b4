import { isRecord } from '@tenon/foundation';
import type { UnknownObject } from '@tenon/mcp-protocol';
import { readArguments } from '../formats/tool-calls.js';
import { InvalidReply, type ReplyAssembler } from './wire-format.js';

type Block = Record<string, unknown>;

const mostBlocks = 1_000;

/** Members that a delta adds to, by its type. */
const growing: ReadonlyMap<unknown, readonly [from: string, to: string]> = new Map([
  ['text_delta', ['text', 'text']],
  ['thinking_delta', ['thinking', 'thinking']],
  ['signature_delta', ['signature', 'signature']],
  ['input_json_delta', ['partial_json', 'input']],
]);

/** Puts events together. https://platform.claude.com/docs/en/build-with-claude/streaming */
export function anthropicAssembler(onText: (text: string) => void): ReplyAssembler {
  const blocks = new Map<unknown, Block>();
  let message: UnknownObject = {};
  let usage: UnknownObject = {};
  let ended = false;

  function start({ index, content_block: block }: UnknownObject): void {
    if (!isRecord(block)) return;
    if (blocks.size >= mostBlocks) throw new InvalidReply(`more than ${mostBlocks} blocks in a reply`);
    blocks.set(index, { ...block });
    if (block.type === 'text') said(block.text);
  }

  function grow({ index, delta }: UnknownObject): void {
    const block = blocks.get(index);
    const members = isRecord(delta) ? growing.get(delta.type) : undefined;
    if (block === undefined || members === undefined || !isRecord(delta)) return;
    const [from, to] = members;
    const more = delta[from];
    if (typeof more !== 'string' || more === '') return;
    // The input of a call begins as an empty object, and follows as text.
    const before = block[to];
    block[to] = (typeof before === 'string' ? before : '') + more;
    if (delta.type === 'text_delta') said(more);
  }

  function said(text: unknown): void {
    if (typeof text === 'string' && text !== '') onText(text);
  }

  return {
    add(event) {
      if (event.type === 'message_start' && isRecord(event.message)) message = event.message;
      else if (event.type === 'content_block_start') start(event);
      else if (event.type === 'content_block_delta') grow(event);
      else if (event.type === 'message_delta')
        message = { ...message, ...(isRecord(event.delta) && event.delta) };
      else if (event.type === 'message_stop') ended = true;
      const counted = event.type === 'message_start' ? message.usage : event.usage;
      // Later counts are totals, and replace earlier ones.
      if (isRecord(counted)) usage = { ...usage, ...counted };
    },
    message: () => (ended ? { ...message, content: [...blocks.values()].map(withInput), usage } : undefined),
  };
}

/** Returns a block as it comes without streaming: the input of a call that the provider ran is an object, which the API expects back. */
function withInput(block: Block): Block {
  if (block.type === 'tool_use' || typeof block.input !== 'string') return block;
  const input = readArguments(block.input);
  return { ...block, input: typeof input === 'string' ? {} : input };
}
