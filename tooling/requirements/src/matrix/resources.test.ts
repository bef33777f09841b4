import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { requirement } from './requirement.js';

const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);

function bench() {
  const server = createServer({ name: 'bench', version: '1.0.0' }, { onError: () => {} });
  return server
    .resource('file:///plans', { name: 'plans', mimeType: 'inode/directory' }, () => 'joint.txt')
    .resource('plan+v1://a/b', { name: 'plan', mimeType: 'text/plain' }, () => 'Cut.')
    .resource('plan+v1://bytes', { name: 'bytes', mimeType: 'image/png' }, () => bytes)
    .resource('plan+v1://secret', { name: 'secret', visible: () => false }, () => 'Hidden.')
    .resource('plan+v1://crash', { name: 'crash' }, () => {
      throw new Error('The password is swordfish.');
    });
}

requirement(
  [
    '2024-11-05/server/resources/custom-schemes',
    '2024-11-05/server/resources/directories',
    '2025-11-25-server-features/resources/read',
    '2025-11-25-server-features/resources/text',
    '2025-03-26/resources/contents',
    '2025-03-26/resources/content-members',
    '2025-03-26/resources/mime-type',
    '2024-11-05/server/resources/contents',
  ],
  {},
  async ({ serve }) => {
    const { client, wire } = await serve(bench());
    const { contents } = await client.readResource('plan+v1://a/b');
    expect(contents).toEqual([{ uri: 'plan+v1://a/b', mimeType: 'text/plain', text: 'Cut.' }]);
    const all = await client.resources().all();
    expect(all[0]).toMatchObject({ uri: 'file:///plans', name: 'plans', mimeType: 'inode/directory' });
    expect(wire.answer('resources/list').result).toHaveProperty('resources');
  },
);

requirement(
  [
    '2024-11-05/server/resources/binary-encoded',
    '2025-11-25-server-features/resources/binary',
    '2025-03-26/resources/content-members',
    '2024-11-05/server/resources/contents',
  ],
  {},
  async ({ serve }) => {
    const { client } = await serve(bench());
    const { contents } = await client.readResource('plan+v1://bytes');
    expect(contents).toMatchObject([{ uri: 'plan+v1://bytes', mimeType: 'image/png' }]);
    const { blob } = contents[0] as { blob: string };
    expect(blob).toBe(Buffer.from(bytes).toString('base64'));
  },
);

requirement(
  ['2024-11-05/server/resources/not-found', '2024-11-05/server/resources/uris-validated'],
  {},
  async ({ serve, revision }) => {
    const { client } = await serve(bench());
    const code = revision < '2026-07-28' ? -32_002 : -32_602;
    for (const uri of ['plan+v1://unknown', 'file:///plans/../etc/passwd', 'no uri', '']) {
      await expect(client.readResource(uri)).rejects.toMatchObject({ code, data: { uri } });
    }
  },
);

requirement(['2024-11-05/server/resources/internal-errors'], {}, async ({ serve }) => {
  const { client, wire } = await serve(bench());
  await expect(client.readResource('plan+v1://crash')).rejects.toMatchObject({ code: -32_603 });
  expect(JSON.stringify(wire.frames)).not.toContain('swordfish');
});

requirement(
  ['2024-11-05/server/resources/access-controls', '2024-11-05/server/resources/permissions-checked'],
  {},
  async ({ serve }) => {
    const { client, wire } = await serve(bench());
    const refusal = async (uri: string) => {
      const error = await client.readResource(uri).catch((reason: unknown) => reason);
      return { ...(error as { code: number; message: string }) };
    };
    const names = (await client.resources().all()).map(({ name }) => name);
    expect(names).toEqual(['plans', 'plan', 'bytes', 'crash']);
    expect((await refusal('plan+v1://secret')).code).toBe((await refusal('plan+v1://unknown')).code);
    expect(JSON.stringify(wire.frames)).not.toContain('Hidden.');
  },
);
