import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelName, nameTools, type ToolPair } from './names.js';

const accepted = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

describe('modelName', () => {
  it('joins server and tool', () => {
    expect(modelName('github', 'create_issue')).toBe('github__create_issue');
    expect(modelName('my-files', 'read-file')).toBe('my-files__read-file');
  });

  it('replaces odd characters and adds a digest', () => {
    expect(modelName('acme.docs', 'Search & find')).toMatch(/^acme_docs__Search___find_[a-z2-7]{16}$/);
    expect(modelName('acme.docs', 'Search & find')).not.toBe(modelName('acme.docs', 'Search + find'));
  });

  it('cuts a long name and keeps the digest', () => {
    const long = modelName('server', 'x'.repeat(200));
    expect(long).toHaveLength(64);
    expect(long).not.toBe(modelName('server', `${'x'.repeat(199)}y`));
  });

  it('names the tool when the name of its server is long', () => {
    expect(modelName('s'.repeat(80), 'create_issue')).toMatch(/^s+__create_issue_[a-z2-7]{16}$/);
  });

  it('starts with a letter or underscore when the server does not', () => {
    expect(modelName('1mcp', 'run')).toMatch(/^_1mcp__run_[a-z2-7]{16}$/);
    expect(modelName('', 'run')).toMatch(accepted);
  });

  it('tells apart pairs that read alike', () => {
    const alike: readonly [string, string][] = [
      ['a', 'b__c'],
      ['a__b', 'c'],
      ['a', '_b'],
      ['a_', 'b'],
      ['a', '__b'],
      ['a__', 'b'],
    ];
    expect(new Set(alike.map(([server, tool]) => modelName(server, tool))).size).toBe(alike.length);
  });

  it('gives no server a name with the digest of the tool of another server', () => {
    const target = modelName('a.b', 'delete');
    const imitation = target.slice('a_b__'.length);
    expect(modelName('a_b', imitation)).not.toBe(target);
  });

  it('leaves names that the program uses to the program', () => {
    const name = modelName('a', 'b', { taken: (one) => one === 'a__b' });
    expect(name).toMatch(/^a__b_[a-z2-7]{16}$/);
    expect(() => modelName('a', 'b', { taken: () => true })).toThrow(
      'The tool "b" of the server "a" has no free name for models',
    );
  });
});

// Few characters, so that pairs which read alike come up often.
const word = fc.string({
  unit: fc.constantFrom('a', 'b', '_', '-', '.', '1', 'é', '😀', '\ud800'),
  maxLength: 12,
});
const longWord = fc.string({ unit: fc.constantFrom('a', '_', 'é'), minLength: 60, maxLength: 70 });
const pair: fc.Arbitrary<ToolPair> = fc.record({
  server: fc.oneof(word, longWord),
  tool: fc.oneof(word, longWord),
});
const pairs = fc.uniqueArray(pair, {
  selector: ({ server, tool }) => JSON.stringify([server, tool]),
  minLength: 1,
  maxLength: 30,
});

describe('nameTools', () => {
  it('gives every pair a name of its own that all formats accept', () => {
    fc.assert(
      fc.property(pairs, fc.constantFrom('always', 'collision'), (list, prefix) => {
        const names = nameTools(list, { prefix: prefix as 'always' | 'collision' });
        expect(names.pairs.size).toBe(list.length);
        for (const { server, tool } of list) {
          const name = names.nameOf(server, tool) ?? '';
          expect(name).toMatch(accepted);
          expect(names.pairs.get(name)).toEqual({ server, tool });
        }
      }),
      { numRuns: 500 },
    );
  });

  it('gives a pair the same name in every list and order', () => {
    fc.assert(
      fc.property(pairs, pairs, (list, others) => {
        const alone = nameTools(list);
        const together = nameTools([...others, ...list].reverse());
        for (const { server, tool } of list)
          expect(together.nameOf(server, tool)).toBe(alone.nameOf(server, tool));
      }),
    );
  });

  it('prefixes only tools of the same name when asked', () => {
    const names = nameTools(
      [
        { server: 'files', tool: 'read' },
        { server: 'mail', tool: 'read' },
        { server: 'mail', tool: 'send' },
        { server: 'mail', tool: 'odd name' },
        { server: 'evil', tool: 'files__read' },
        { server: 'mail', tool: 'send' },
      ],
      { prefix: 'collision', taken: (name) => name === 'search' },
    );
    expect(names.nameOf('files', 'read')).toBe('files__read');
    expect(names.nameOf('mail', 'read')).toBe('mail__read');
    expect(names.nameOf('mail', 'send')).toBe('send');
    expect(names.nameOf('mail', 'odd name')).toMatch(/^mail__odd_name_[a-z2-7]{16}$/);
    expect(names.nameOf('evil', 'files__read')).not.toBe('files__read');
    expect(names.nameOf('mail', 'missing')).toBeUndefined();
    expect(names.pairs.size).toBe(5);
  });

  it('gives no tool without a prefix the name with the digest of another', () => {
    const long = modelName('s'.repeat(80), 't'.repeat(80));
    const names = nameTools(
      [
        { server: 'evil', tool: long.replaceAll('__', '_') },
        { server: 'evil', tool: `a_${'b'.repeat(16)}` },
      ],
      {
        prefix: 'collision',
      },
    );
    for (const name of names.pairs.keys()) expect(name).toMatch(/^evil__/);
  });

  it('keeps names of the program free of tools without a prefix', () => {
    const names = nameTools([{ server: 'a', tool: 'search' }], {
      prefix: 'collision',
      taken: (name) => name === 'search',
    });
    expect(names.nameOf('a', 'search')).toBe('a__search');
  });
});
