import type { CallToolResult, ContentBlock } from '@tenon/mcp-client';
import { describe, expect, it } from 'vitest';
import { Terminal } from '../terminal/terminal.js';
import { printResult } from './print-result.js';

const texts = (...all: string[]): ContentBlock[] => all.map((text) => ({ type: 'text', text }));

async function printed(result: CallToolResult): Promise<string> {
  let text = '';
  const output = {
    write(chunk: string) {
      text += chunk;
    },
  };
  const terminal = new Terminal({ input: {}, output, error: output, env: {}, cwd: '/' } as never);
  await printResult(result, { tool: { name: 'tool' }, terminal, options: {} });
  return text.replaceAll(/\s+/g, ' ').trim();
}

describe('the printed result of a tool', () => {
  it.each([
    ['the JSON of the structured content', texts('{"a": 1}'), { a: 1 }, '{ "a": 1 }'],
    [
      'the JSON of the structured content after a summary',
      texts('One', '{"a":1}'),
      { a: 1 },
      'One { "a": 1 }',
    ],
    ['the only member', texts('hello\nworld'), { content: 'hello\nworld' }, 'hello world'],
    ['the JSON of the only member', texts('[1,2]'), { result: [1, 2] }, '[1,2]'],
    ['a number as the only member', texts('5'), { result: 5 }, '5'],
    ['each element of the only member', texts('a', 'b'), { result: ['a', 'b'] }, 'a b'],
  ])('has the content once when the text is %s', async (...[, content, structuredContent, all]) => {
    expect(await printed({ content, structuredContent })).toBe(all);
  });

  it.each([
    ['another text', texts('One thing'), { a: 1 }, 'One thing { "a": 1 }'],
    ['one of two members', texts('a'), { name: 'a', size: 2 }, 'a { "name": "a", "size": 2 }'],
    ['no text', [], { a: 1 }, '{ "a": 1 }'],
  ])('has the structured content too when there is %s', async (...[, content, structuredContent, all]) => {
    expect(await printed({ content, structuredContent })).toBe(all);
  });
});
