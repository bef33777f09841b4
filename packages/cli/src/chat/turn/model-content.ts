import type { ContentBlock, ToolResult } from '@tenon/mcp-client';
import type { ModelContent } from '@tenon/mcp-host/models';

/** Characters of a result that the model receives. */
const mostCharacters = 50_000;

/** Returns the result of a tool as a model receives it: texts within a bound, images and sounds. */
export function modelContent({
  content,
  structuredContent,
}: Pick<ToolResult, 'content' | 'structuredContent'>): readonly ModelContent[] {
  const blocks = content.map(blockFor);
  const hasText = blocks.some(({ type }) => type === 'text');
  const all: readonly ModelContent[] =
    hasText || structuredContent === undefined
      ? blocks
      : [...blocks, { type: 'text', text: JSON.stringify(structuredContent) }];
  let left = mostCharacters;
  return all.map((block) => {
    if (block.type !== 'text') return block;
    const text =
      block.text.length <= left
        ? block.text
        : `${block.text.slice(0, left)}\n[${block.text.length - left} more characters]`;
    left = Math.max(0, left - block.text.length);
    return { type: 'text', text };
  });
}

function blockFor(block: ContentBlock): ModelContent {
  switch (block.type) {
    case 'text':
    case 'image':
    case 'audio':
      return block;
    case 'resource_link':
      return { type: 'text', text: `[resource ${block.uri}] ${block.title ?? block.name}` };
    case 'resource':
      return {
        type: 'text',
        text: 'text' in block.resource ? block.resource.text : `[file ${block.resource.uri}]`,
      };
  }
}
