import { revision20251125 } from '@tenon/mcp-protocol/internal';
import { expect, it } from 'vitest';
import { rig, session } from '../../../test/client-rig.js';

it('follows redirects of messages for streams, but not redirects of streams for messages', async () => {
  const { server, initialize, ask } = await rig(
    session((call) => {
      if (call.path === '/mcp') return call.raw(308, { location: '/new' });
      if (call.method !== 'GET') return call.result();
      return call.path === '/events' ? call.events() : call.raw(307, { location: '/events' });
    }),
    { revision: revision20251125 },
  );
  await ask(1);
  await initialize();
  await server.call('GET', 2);
  await ask(2);
  expect(server.calls.map((call) => `${call.method} ${call.path}`)).toEqual([
    'POST /mcp',
    'POST /new',
    'POST /new',
    'POST /new',
    'GET /new',
    'GET /events',
    'POST /new',
  ]);
});
