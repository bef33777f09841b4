import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { rules } from './rules/all.js';

const page = readFileSync(new URL('../../../../docs/guide/tools/lint.md', import.meta.url), 'utf8');

it('docs/guide/tools/lint.md has the table of the rules', () => {
  const rows = rules.map(({ id, severity, about }) => `| \`${id}\` | ${severity} | ${about} |`);
  const table = ['| rule | severity | what it checks |', '|---|---|---|', ...rows].join('\n');
  const [, documented] = /<!-- rules -->\n([\s\S]*?)\n?<!-- \/rules -->/.exec(page) ?? [];
  expect(documented, `the table should be:\n${table}`).toBe(table);
});
