import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { requirement } from './requirement.js';

const info = { name: 'bench', version: '1.0.0' };
const call = (name: string) => ({ name, arguments: {} });

requirement(
  [
    '2024-11-05/architecture/features-advertised',
    '2024-11-05/architecture/progressive-features',
    '2024-11-05/architecture/subscriptions-declared',
    '2024-11-05/basic/index/other-components',
    '2024-11-05/server/utilities/logging/capability',
  ],
  {},
  async ({ serve }) => {
    const bare = await serve(createServer(info, { logging: false }));
    expect(bare.client.capabilities).toEqual({});
    for (const method of ['tools/list', 'prompts/list', 'resources/list'] as const)
      await expect(bare.client.request(method, {})).rejects.toMatchObject({ reason: 'capability-missing' });
    expect(bare.wire.sent('client', 'tools/list')).toEqual([]);

    const full = createServer(info).tool('a', {}, (_, ctx) => {
      ctx.log('error', 'Heard');
      return '';
    });
    full.prompt('b', {}, () => '').resource('c://d', {}, () => '');
    const { client, wire } = await serve(full, { logLevel: 'debug' });
    expect(Object.keys(client.capabilities).sort()).toEqual(['logging', 'prompts', 'resources', 'tools']);
    await client.request('tools/call', call('a'));
    expect(wire.sent('server', 'notifications/message')).toHaveLength(1);
  },
);

requirement(
  [
    '2024-11-05/server/tools/capability',
    '2025-11-25-server-features/tools/capability',
    '2025-03-26/tools/list-changed-declared',
  ],
  {},
  async ({ serve }) => {
    const { client } = await serve(createServer(info, { logging: false }).tool('a', {}, () => ''));
    expect(client.capabilities).toEqual({ tools: { listChanged: true } });
  },
);

requirement(
  [
    '2024-11-05/server/prompts/capability',
    '2025-11-25-server-features/prompts/capability',
    '2025-03-26/prompts/list-changed-declared',
  ],
  {},
  async ({ serve }) => {
    const { client } = await serve(createServer(info, { logging: false }).prompt('a', {}, () => ''));
    expect(client.capabilities).toEqual({ prompts: { listChanged: true } });
  },
);

requirement(
  [
    '2024-11-05/server/resources/capability',
    '2024-11-05/server/resources/both-optional',
    '2025-11-25-server-features/resources/capability',
    '2025-03-26/resources/list-changed-declared',
    '2025-03-26/resources/subscribe-declared',
  ],
  {},
  async ({ serve }) => {
    const { client } = await serve(createServer(info, { logging: false }).resource('a://b', {}, () => ''));
    expect(client.capabilities).toEqual({ resources: { subscribe: true, listChanged: true } });
  },
);

requirement(
  ['2024-11-05/architecture/composable', '2024-11-05/architecture/conversation-unseen'],
  {},
  async ({ serve }) => {
    const alone = (name: string) =>
      createServer({ name, version: '1.0.0' }).tool('a', {}, () => `of ${name}`);
    const [one, two] = [await serve(alone('one')), await serve(alone('two'))];
    expect((await one.client.callTool('a')).content).toMatchObject([{ text: 'of one' }]);
    expect(two.wire.sent('client', 'tools/call')).toEqual([]);
    expect((await two.client.callTool('a')).content).toMatchObject([{ text: 'of two' }]);
    expect(JSON.stringify(one.wire.frames)).not.toContain('two');
  },
);
