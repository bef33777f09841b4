import { expect, test } from 'vitest';
import { textOf } from './content.js';

test('joins texts and leaves out other content', () => {
  const image = { type: 'image', data: 'AA==', mimeType: 'image/png' };
  expect(textOf([{ type: 'text', text: 'a' }, image, { type: 'text', text: 'b' }])).toBe('a\nb');
  expect(textOf({ type: 'text', text: 'alone' })).toBe('alone');
  expect(textOf([image])).toBe('');
  expect(
    textOf([
      { uri: 'a:b', text: 'read' },
      { uri: 'a:c', blob: 'AA==' },
    ]),
  ).toBe('read');
});
