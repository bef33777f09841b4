import { describe, expect, it } from 'vitest';
import { replaceMarked } from './marked.js';

describe('replaceMarked', () => {
  it('replaces the text between the marks, repeatedly', () => {
    const once = replaceMarked('before\n<!-- bench -->\nold\n<!-- /bench -->\nafter\n', 'bench', 'new\n');
    expect(once).toBe('before\n<!-- bench -->\nnew\n<!-- /bench -->\nafter\n');
    expect(replaceMarked(String(once), 'bench', 'new')).toBe(once);
  });

  it('returns undefined when a mark is missing', () => {
    expect(replaceMarked('no marks', 'bench', 'new')).toBeUndefined();
    expect(replaceMarked('<!-- bench --> and no end', 'bench', 'new')).toBeUndefined();
  });
});
