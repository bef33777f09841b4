import { readFile } from 'node:fs/promises';
import { ErrorCode } from '@tenon/mcp-server';
import { expect, test } from 'vitest';

test('docs/errors.md lists every code there is, by its name', async () => {
  const text = await readFile(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| (-\d+) \| `(\w+)` \|/gm)].map(([, code, name]) => [name, Number(code)]);
  expect(Object.fromEntries(rows)).toEqual(ErrorCode);
});
