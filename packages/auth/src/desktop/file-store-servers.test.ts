import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { desktopAuth } from '../desktop.js';
import { FileAuthStore } from './file-store.js';

let folder: string;
let store: FileAuthStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-auth-'));
  store = new FileAuthStore({ path: join(folder, 'auth.json') });
});

afterEach(() => rm(folder, { recursive: true }));

it('lists the servers with stored tokens, and nothing else of the store', async () => {
  expect(await store.servers()).toEqual([]);
  await store.swap('server:a', undefined, { server: 'https://a.example/mcp' });
  await store.swap('tokens:a', undefined, { server: 'https://no.example/', accessToken: 'x' });
  await store.swap('server:b', undefined, { issuer: 'https://b.example' });
  expect(await store.servers()).toEqual(['https://a.example/mcp']);
});

it('rejects a damaged file, as other methods do', async () => {
  await store.swap('a', undefined, {});
  await writeFile(store.path, 'broken');
  await expect(store.servers()).rejects.toMatchObject({ reason: 'storage' });
  expect(await store.servers()).toEqual([]);
});

it('says that a user is not signed in, and rejects other schemes', async () => {
  const server = 'https://a.example/mcp';
  const auth = desktopAuth({ name: 'test', store });
  expect(await auth.signedIn(server)).toBeUndefined();
  await expect(auth.signedIn('file:///x')).rejects.toThrow('must be http or https');
});
