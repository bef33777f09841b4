import { describe, expect, it } from 'vitest';
import { memberName } from './accepted-name.js';

describe('memberName', () => {
  it('changes only names that a format rejects, each in its own way', () => {
    expect(memberName('path')).toBe('path');
    const odd = ['$filter', '@filter', 'x-filter', 'filter[0]', '1filter', 'フィルタ', 'f'.repeat(80)];
    const names = odd.map(memberName);
    for (const name of names) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/);
    expect(new Set(names).size).toBe(odd.length);
  });
});
