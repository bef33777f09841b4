import { readFileSync } from 'node:fs';
import { leniencies } from '@tenon/mcp-protocol/internal';
import { expect, test } from 'vitest';

const page = readFileSync(new URL('../../../docs/guide/clients/untrusted.md', import.meta.url), 'utf8');
const heading = '## Servers that break the rules';

test('docs/guide/clients/untrusted.md has a row for each leniency, and no other', () => {
  const section = page.split(heading)[1]?.split('\n## ')[0] ?? '';
  const [, , ...rows] = section.split('\n').filter((line) => line.startsWith('|'));
  const expected = Object.values(leniencies).map(
    ({ departure, reading, peer }) => `| ${departure} | ${reading} | ${peer} |`,
  );
  expect(rows).toEqual(expected);
});
