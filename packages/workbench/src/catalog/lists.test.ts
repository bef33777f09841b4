import { describe, expect, it } from 'vitest';
import { compareLists, describeDifference, isSameList } from './lists.js';

const tool = (name: string, description = name) => ({ name, description, inputSchema: { type: 'object' } });

describe('compareLists', () => {
  it('names added, removed and changed entries in alphabetical order', () => {
    const before = [tool('sum'), tool('greet'), tool('same')];
    const after = [tool('zip'), tool('same'), tool('greet', 'Greets'), tool('add')];
    expect(compareLists('tools', before, after)).toEqual({
      added: ['add', 'zip'],
      removed: ['sum'],
      changed: ['greet'],
    });
  });

  it('ignores the order of entries and of members', () => {
    const { name, description, inputSchema } = tool('greet');
    const after = [tool('sum'), { inputSchema, description, name }];
    expect(isSameList(compareLists('tools', [tool('greet'), tool('sum')], after))).toBe(true);
  });

  it('knows resources by their URI and templates by their URI template', () => {
    const added = [{ uri: 'note://milk', name: 'note' }];
    expect(compareLists('resources', [], added).added).toEqual(['note://milk']);
    const template = [{ uriTemplate: 'note://{id}', name: 'note' }];
    expect(compareLists('resourceTemplates', template, []).removed).toEqual(['note://{id}']);
  });

  it('accepts the name __proto__', () => {
    expect(compareLists('prompts', [{ name: '__proto__' }], []).removed).toEqual(['__proto__']);
  });
});

describe('describeDifference', () => {
  it('writes a sign before each name', () => {
    expect(describeDifference({ added: ['add'], removed: ['sum'], changed: ['greet'] })).toBe(
      '+add -sum ~greet',
    );
  });

  it('counts the names that exceed the limit', () => {
    const added = Array.from({ length: 10_000 }, (_, index) => `tool_${index}`);
    expect(describeDifference({ added, removed: [], changed: [] }, 2)).toBe('+tool_0 +tool_1 and 9998 more');
  });
});
