import { readFile } from 'node:fs/promises';
import { ErrorCode } from '@tenon/mcp-server';
import { expect, test } from 'vitest';

test('docs/reference/errors.md lists every error code by name', async () => {
  const text = await readFile(new URL('../../../../docs/reference/errors.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| (-\d+) \| `(\w+)` \|/gm)].map(([, code, name]) => [name, Number(code)]);
  expect(Object.fromEntries(rows)).toEqual(ErrorCode);
});
