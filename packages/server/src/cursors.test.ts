import { describe, expect, test } from 'vitest';
import { Cursors, printOf } from './cursors.js';

const secret = (fill: number) => new Uint8Array(32).fill(fill);
const mark = { number: 100, print: printOf('forecast') };

test('a cursor says to its own list what was written in it', () => {
  const cursors = new Cursors([secret(1)]);
  expect(cursors.read('tools', cursors.write('tools', mark))).toEqual(mark);
  const far = { number: 2 ** 32 - 1, print: 2 ** 32 - 1 };
  expect(cursors.read('prompts', cursors.write('prompts', far))).toEqual(far);
});

test('a cursor is the same in every process that has the secret, and of one length', () => {
  const cursor = new Cursors([secret(1)]).write('tools', mark);
  expect(new Cursors([secret(1)]).write('tools', mark)).toBe(cursor);
  expect(cursor).toMatch(/^[A-Za-z0-9_-]{22}$/);
});

describe('is refused', () => {
  const cursors = new Cursors([secret(1)]);
  const cursor = cursors.write('tools', mark);

  test('by another list', () => {
    expect(cursors.read('prompts', cursor)).toBeUndefined();
  });

  test('by who has another secret', () => {
    expect(new Cursors([secret(2)]).read('tools', cursor)).toBeUndefined();
  });

  test.each(Array.from(cursor, (_, at) => at))('with character %i changed', (at) => {
    for (const other of ['A', 'b', '7', '_']) {
      if (other === cursor[at]) continue;
      expect(cursors.read('tools', cursor.slice(0, at) + other + cursor.slice(at + 1))).toBeUndefined();
    }
  });

  test.each([
    '',
    ' ',
    'forecast',
    'x'.repeat(22),
    'x'.repeat(1_000_000),
    `${cursor}=`,
    `${cursor}==`,
    ` ${cursor}`,
    `${cursor}\n`,
    cursor.slice(0, -1),
    cursor + cursor,
    'ä'.repeat(22),
  ])('as %j', (text) => {
    expect(cursors.read('tools', text.slice(0, 1_000_000))).toBeUndefined();
  });
});

test('keys can be changed: the current one writes, the old ones still read', () => {
  const before = new Cursors([secret(1)]).write('tools', mark);
  const after = new Cursors([secret(2), secret(1)]);
  expect(after.read('tools', before)).toEqual(mark);
  expect(after.write('tools', mark)).not.toBe(before);
  expect(new Cursors([secret(2)]).read('tools', after.write('tools', mark))).toEqual(mark);
});

test('neighbouring places have nothing in common that can be read', () => {
  const cursors = new Cursors([secret(1)]);
  const texts = Array.from({ length: 200 }, (_, number) =>
    cursors.write('tools', { number, print: printOf('x') }),
  );
  // Counted by place: 200 texts of 64 characters spread evenly leave no place with fewer than 40 of them.
  for (let at = 0; at < 21; at++) expect(new Set(texts.map((text) => text[at])).size).toBeGreaterThan(40);
});
