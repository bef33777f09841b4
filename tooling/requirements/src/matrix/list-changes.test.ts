import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { requirement } from './requirement.js';

function bench() {
  const server = createServer({ name: 'bench', version: '1.0.0' }, { logging: false });
  return server
    .tool('saw', {}, () => '')
    .prompt('greet', {}, () => '')
    .resource('plan://a', {}, () => '');
}

const ids = {
  tools: '2024-11-05/server/tools/list-changed',
  prompts: '2024-11-05/server/prompts/list-changed',
  resources: '2024-11-05/server/resources/list-changed',
} as const;

for (const kind of ['tools', 'prompts', 'resources'] as const) {
  requirement([ids[kind]], {}, async ({ serve }) => {
    const server = bench();
    const { client, wire } = await serve(server);
    expect(client.capabilities[kind]).toMatchObject({ listChanged: true });
    // A change before `notifications/initialized` is in the first list.
    expect(await client[kind]().all()).toHaveLength(1);
    const heard = new Promise((resolve) => {
      void client.watch({ [kind]: true }, resolve).then(() => {
        server.tool('plane', {}, () => '');
        server.prompt('explain', {}, () => '');
        server.resource('plan://b', {}, () => '');
      });
    });
    expect(await heard).toEqual({ kind });
    const [said] = wire.sent('server', `notifications/${kind}/list_changed`);
    expect(said).toBeDefined();
    expect(said).not.toHaveProperty('id');
  });
}
