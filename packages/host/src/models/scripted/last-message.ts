import type { ModelBlock, ModelRequest, ToolResultBlock } from '../model.js';

/** Returns the text of the last message, the results of tools included. */
export function lastText({ messages }: ModelRequest): string {
  const content: readonly ModelBlock[] = messages.at(-1)?.content ?? [];
  const blocks = content.flatMap((block): readonly ModelBlock[] =>
    block.type === 'tool_result' ? block.content : [block],
  );
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** Returns the results of tools in the last message. */
export function lastResults({ messages }: ModelRequest): readonly ToolResultBlock[] {
  return (messages.at(-1)?.content ?? []).filter((block) => block.type === 'tool_result');
}
