import { describe, expect, it } from 'vitest';
import { readFrontmatter } from './frontmatter.js';
import { longestFrontmatter } from './frontmatter-rules.js';

const fields = (yaml: string) => readFrontmatter(`---\n${yaml}\n---\nbody`).frontmatter;

describe('readFrontmatter', () => {
  it('returns all fields and the body', () => {
    const text =
      '---\nname: refunds\ndescription: "Refund: a customer"\nmetadata:\n  version: "2.1"\n---\n\n# Refunds\n';
    expect(readFrontmatter(text)).toEqual({
      frontmatter: { name: 'refunds', description: 'Refund: a customer', metadata: { version: '2.1' } },
      body: '\n# Refunds\n',
    });
  });

  it('reads lines that end with CR LF, and block texts', () => {
    const text = '---\r\nname: a\r\ndescription: >-\r\n  one\r\n  two\r\n---\r\nbody';
    expect(readFrontmatter(text)).toEqual({
      frontmatter: { name: 'a', description: 'one two' },
      body: 'body',
    });
  });

  it('skips a byte order mark', () => {
    expect(readFrontmatter('\uFEFF---\na: 1\n---\nbody')).toEqual({ frontmatter: { a: 1 }, body: 'body' });
  });

  it('reads values by the core schema of YAML 1.2', () => {
    expect(fields('a: yes\nb: 2026-07-28\nc: 0o17\nd: null\ne: [1, 2.5, true]')).toEqual({
      a: 'yes',
      b: '2026-07-28',
      c: 15,
      d: null,
      e: [1, 2.5, true],
    });
  });

  it('reads a mapping of JSON values, as skills in code write it', () => {
    expect(fields('"na\\u006de": "x"\n"list": [{"a": "b: #c"}]')).toEqual({
      name: 'x',
      list: [{ a: 'b: #c' }],
    });
  });

  it.each([
    ['an alias', 'a: &x [1]\nb: *x'],
    ['a merge of an alias', 'a: &x {k: 1}\nb:\n  <<: *x'],
    [
      'a bomb of aliases',
      `a: &a [x, x]\n${[...'bcdefgh'].map((k, i) => `${k}: &${k} [*${'abcdefg'[i]}, *${'abcdefg'[i]}]`).join('\n')}`,
    ],
    ['a repeated key', 'a: 1\na: 2'],
    ['a tag of another schema', 'a: !!js/function "x"'],
    ['a binary value', 'a: !!binary aGk='],
    ['a set', 'a: !!set {x, y}'],
    ['an infinite number', 'a: .inf'],
    ['a value that is not a number', 'a: .nan'],
    ['a key that replaces the prototype', '__proto__: {x: 1}'],
    ['a list', '- a\n- b'],
    ['a text', 'only words'],
    ['nothing', ''],
    ['a second document', 'a: 1\n...\nb: 2'],
    ['tabs as indentation', 'a:\n\tb: 1'],
    ['an open bracket', 'a: [1, 2'],
    ['a repeated key in a mapping inside', 'a: {b: 1, c: 2, b: 3}'],
    ['a repeated key with quotation marks', 'a: 1\n"a": 2'],
    ['keys that JSON makes the same', '1: a\n"1": b'],
    ['a mapping as a key', '? {a: 1}\n: b'],
  ])('rejects %s', (_, yaml) => {
    expect(() => fields(yaml)).toThrow(SyntaxError);
  });

  it.each([
    ['lists in lists', `a: ${'['.repeat(7_000)}${']'.repeat(7_000)}`],
    ['lists in lists that stay open', `a: ${'['.repeat(15_000)}`],
    ['sequences in sequences on one line', `a:\n  ${'- '.repeat(7_000)}x`],
    ['maps in maps as keys', `? ${'? '.repeat(7_000)}x`],
  ])('rejects %s before it composes values, which would overflow the stack', (_, yaml) => {
    expect(() => fields(yaml)).toThrow(/levels of values/);
  });

  it.each([
    ['no frontmatter', '# Title\n'],
    ['an empty line before it', '\n---\nname: a\n---\n'],
    ['no end', '---\nname: a\n'],
    ['an end that is too far away', `---\na: ${'x'.repeat(longestFrontmatter)}\n---\n`],
  ])('rejects a file with %s', (_, text) => {
    expect(() => readFrontmatter(text)).toThrow(SyntaxError);
  });
});
