import { describe, expect, it } from 'vitest';
import { type FileEntry, readEntries, writeEntries } from './file-content.js';

const entry = (key: string, size = 1): FileEntry => ({
  key,
  version: '1',
  value: { text: 'x'.repeat(size) },
});

describe('file content', () => {
  it('reads the entries that were written', () => {
    const entries = [entry('tokens:a'), entry('__proto__'), entry('b')];
    expect(readEntries(writeEntries(entries, 10_000) ?? '')).toEqual(entries);
    expect(readEntries(writeEntries([], 10_000) ?? '')).toEqual([]);
    expect(readEntries('')).toEqual([]);
  });

  it('writes JSON with one entry per line', () => {
    expect(writeEntries([entry('a'), entry('b')], 10_000)).toBe(
      '{"format":1,"entries":[\n' +
        '{"key":"a","version":"1","value":{"text":"x"}},\n' +
        '{"key":"b","version":"1","value":{"text":"x"}}\n' +
        ']}\n',
    );
  });

  it.each([
    ['truncated JSON', '{"format":1,"entries":['],
    ['a number', '17'],
    ['an array', '[]'],
    ['an empty object', '{}'],
    ['an object without a list of entries', '{"format":1,"entries":{}}'],
    ['an entry without a version', '{"format":1,"entries":[{"key":"a","value":{}}]}'],
    ['an entry without a value', '{"format":1,"entries":[{"key":"a","version":"1","value":null}]}'],
    ['zeros, as after a power failure', '\0\0\0\0'],
  ])('reads %s as broken', (_, text) => {
    expect(readEntries(text)).toBe('broken');
  });

  it('recognizes a newer format', () => {
    expect(readEntries('{"format":2,"things":[]}')).toBe('newer');
  });

  it('drops the oldest entries if they do not fit', () => {
    const entries = [entry('a'), entry('b'), entry('c')];
    const all = writeEntries(entries, 10_000) ?? '';
    expect(writeEntries(entries, all.length + 2)).toBe(all);
    expect(readEntries(writeEntries(entries, all.length - 1) ?? '')).toEqual(entries.slice(1));
    expect(readEntries(writeEntries([...entries, entry('d', 5_000)], 5_100) ?? '')).toEqual([
      entry('d', 5_000),
    ]);
  });

  it('counts bytes, not characters', () => {
    const wide: FileEntry = { key: 'a', version: '1', value: { text: '\u20AC'.repeat(100) } };
    expect(writeEntries([wide], 300)).toBeUndefined();
    expect(writeEntries([wide], 400)).toBeDefined();
  });

  it('returns undefined if the newest entry alone does not fit', () => {
    expect(writeEntries([entry('a'), entry('b', 5_000)], 5_000)).toBeUndefined();
  });
});
