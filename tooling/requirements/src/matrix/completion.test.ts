import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { z } from 'zod';
import { requirement } from './requirement.js';

const many = Array.from({ length: 250 }, (_, at) => `oak ${at}`);

function bench() {
  const args = z.object({ wood: z.string(), note: z.string() });
  const server = createServer({ name: 'bench', version: '1.0.0' });
  server.prompt('order', { args, complete: { wood: () => many } }, () => '');
  server.prompt('hidden', { args, complete: { wood: () => ['secret'] }, visible: () => false }, () => '');
  return server;
}

const ask = (name: string, argument: string) => ({
  ref: { type: 'ref/prompt' as const, name },
  argument: { name: argument, value: 'o' },
});

requirement(
  [
    '2024-11-05/server/utilities/completion/maximum',
    '2024-11-05/server/utilities/completion/partial-handled',
    '2024-11-05/server/utilities/completion/more',
    '2025-03-26/completion/values',
  ],
  {},
  async ({ serve }) => {
    const { client, wire } = await serve(bench());
    const found = await client.request('completion/complete', ask('order', 'wood'));
    expect(found).toMatchObject({ completion: { values: many.slice(0, 100), hasMore: true, total: 250 } });
    expect(wire.answer('completion/complete').result).toMatchObject(found);
    const none = await client.request('completion/complete', ask('order', 'note'));
    expect(none).toMatchObject({ completion: { values: [] } });
  },
);

requirement(['2024-11-05/server/utilities/completion/inputs-validated'], {}, async ({ serve }) => {
  const { client } = await serve(bench());
  const complete = (params: object) => client.request('completion/complete', params as never);
  for (const params of [
    ask('nobody', 'wood'),
    { ref: { type: 'ref/prompt', name: 'order' }, argument: { name: 'wood' } },
    { ref: { type: 'ref/prompt', name: 'order' }, argument: { name: 'wood', value: 1 } },
    { ref: { type: 'ref/other', name: 'order' }, argument: { name: 'wood', value: '' } },
    { argument: { name: 'wood', value: '' } },
  ])
    await expect(complete(params)).rejects.toMatchObject({ code: -32_602 });
});

requirement(
  [
    '2024-11-05/server/utilities/completion/access-controlled',
    '2024-11-05/server/utilities/completion/no-disclosure',
  ],
  {},
  async ({ serve }) => {
    const { client, wire } = await serve(bench());
    const refusal = async (name: string) => {
      const error = await client
        .request('completion/complete', ask(name, 'wood'))
        .catch((reason: unknown) => reason);
      return error as { code: number; peerMessage: string };
    };
    const [hidden, nobody] = [await refusal('hidden'), await refusal('nobody')];
    expect(hidden.code).toBe(nobody.code);
    expect(hidden.peerMessage.replace('hidden', 'nobody')).toBe(nobody.peerMessage);
    expect(JSON.stringify(wire.frames)).not.toContain('secret');
  },
);

requirement(
  [
    '2025-03-26/completion/capability',
    '2025-03-26/completion/references',
    '2024-11-05/server/utilities/completion/references',
  ],
  {},
  async ({ serve, revision }) => {
    const server = bench().resource('plan://{name}', { complete: { name: () => ['joint'] } }, () => '');
    const { client } = await serve(server);
    // The first revision has no capability for completion.
    expect(client.capabilities.completions).toEqual(revision === '2024-11-05' ? undefined : {});
    const ref = { type: 'ref/resource' as const, uri: 'plan://{name}' };
    const argument = { name: 'name', value: '' };
    expect(await client.request('completion/complete', { ref, argument })).toMatchObject({
      completion: { values: ['joint'] },
    });
    expect(await client.request('completion/complete', ask('order', 'wood'))).toHaveProperty('completion');
    const without = await serve(createServer({ name: 'bench', version: '1.0.0' }).prompt('a', {}, () => ''));
    expect(without.client.capabilities).not.toHaveProperty('completions');
  },
);
