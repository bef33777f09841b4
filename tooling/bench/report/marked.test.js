import { describe, expect, it } from 'vitest';
import { replaceMarked } from './marked.js';

describe('replaceMarked', () => {
  it('replaces what stands between the marks, again and again', () => {
    const once = replaceMarked('before\n<!-- bench -->\nold\n<!-- /bench -->\nafter\n', 'bench', 'new\n');
    expect(once).toBe('before\n<!-- bench -->\nnew\n<!-- /bench -->\nafter\n');
    expect(replaceMarked(String(once), 'bench', 'new')).toBe(once);
  });

  it('gives nothing where a mark is missing', () => {
    expect(replaceMarked('no marks', 'bench', 'new')).toBeUndefined();
    expect(replaceMarked('<!-- bench --> and no end', 'bench', 'new')).toBeUndefined();
  });
});
