import { protect } from '@tenon/mcp-auth/server';
import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { requirement } from './requirement.js';

requirement(
  ['2025-03-26/authorization/not-on-stdio', '2026-07-28/basic/authorization/index/alternative-transports'],
  {
    transports: ['memory', 'stdio'],
    title: 'A protected server asks for nothing where there is no HTTP, and knows nobody there.',
  },
  async ({ serve }) => {
    const server = createServer({ name: 'bench', version: '1.0.0' }).tool('who', {}, (_, ctx) => {
      expect(ctx.auth).toBeUndefined();
      return 'nobody';
    });
    protect(server, {
      resource: 'https://bench.example/mcp',
      authorizationServers: ['https://auth.example'],
      verify: () => undefined,
    });
    const { client } = await serve(server);
    expect((await client.callTool('who')).content).toMatchObject([{ text: 'nobody' }]);
  },
);
