import { describe, expect, test } from 'vitest';
import { printOf, readCursor, writeCursor } from './cursors.js';

const mark = { number: 100, print: printOf('forecast') };

test('reads what was written for the same list', () => {
  expect(readCursor('tools', writeCursor('tools', mark))).toEqual(mark);
  const far = { number: 2 ** 32 - 1, print: 2 ** 32 - 1 };
  expect(readCursor('resourceTemplates', writeCursor('resourceTemplates', far))).toEqual(far);
});

test('writes a short text without characters that JSON or URLs escape', () => {
  const longest = writeCursor('resourceTemplates', { number: 2 ** 32 - 1, print: 2 ** 32 - 1 });
  expect(longest).toMatch(/^[\w.]{1,40}$/);
});

describe('refuses', () => {
  const cursor = writeCursor('tools', mark);

  test('the cursor of another list', () => {
    expect(readCursor('prompts', cursor)).toBeUndefined();
  });

  test.each([
    '',
    ' ',
    'forecast',
    'tools',
    '1.tools',
    '1.tools.2s',
    `2${cursor.slice(1)}`,
    '1.tools.0.1',
    '1.tools.-1.1',
    '1.tools.1.5.1',
    '1.tools.zzzzzzz.1',
    '1.tools.1.zzzzzzz',
    '1.tools.01.1',
    '1.tools.1.01',
    '1.tools.1.',
    '1.tools..1',
    '1.__proto__.1.1',
    cursor.toUpperCase(),
    ` ${cursor}`,
    `${cursor}\n`,
    `${cursor}.1`,
    cursor + cursor,
    'x'.repeat(1_000_000),
  ])('%j', (text) => {
    expect(readCursor('tools', text)).toBeUndefined();
  });
});
