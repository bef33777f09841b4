import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { secretFile } from './secret-file.js';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-secrets-'));
  path = join(folder, 'secrets.json');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

it('returns secrets that were written by hand or by another instance', async () => {
  expect(await secretFile(path).get('KEY')).toBeUndefined();
  await writeFile(path, '{"KEY": "one"}', { mode: 0o600 });
  expect(await secretFile(path).get('KEY')).toBe('one');
  expect(await secretFile(path).get('toString')).toBeUndefined();
  await secretFile(path).set('OTHER', 'two');
  await secretFile(path).delete('KEY');
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ OTHER: 'two' });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it('keeps all secrets that are set at the same time', async () => {
  const names = Array.from({ length: 10 }, (_, at) => `KEY_${at}`);
  await Promise.all(names.map((name) => secretFile(path).set(name, name)));
  for (const name of names) expect(await secretFile(path).get(name)).toBe(name);
});

it('rejects a file that other users can read', async () => {
  await secretFile(path).set('KEY', 'one');
  await chmod(path, 0o644);
  await expect(secretFile(path).get('KEY')).rejects.toMatchObject({
    name: 'FileError',
    message: expect.stringContaining('is open to other users'),
  });
});

it.each(['secret-text', '["secret-text"]', '{"KEY": 1, "OTHER": "secret-text"}'])(
  'rejects the content %j without repeating it',
  async (text) => {
    await writeFile(path, text, { mode: 0o600 });
    const reading = async () => secretFile(path).get('KEY');
    const failure = await reading().catch((error: Error) => error);
    expect(failure).toMatchObject({ name: 'FileError' });
    expect(String((failure as Error).stack)).not.toContain('secret-text');
  },
);
