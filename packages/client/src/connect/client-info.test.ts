import { revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { expect, it } from 'vitest';
import { linked } from '../../test/linked.js';
import { ScriptedServer } from '../../test/scripted-server.js';
import { discoverResult, initializeResult } from '../../test/scripts.js';

const long = 'x'.repeat(3_000);
const said: readonly [string, object][] = [
  ['instructions', { instructions: long }],
  ['capabilities', { capabilities: { experimental: { a: { b: long } } } }],
];

it.each([...said, ['its name', { serverInfo: { name: long, version: '1' } }]])(
  'rejects a handshake when %s is too long',
  async (_, more) => {
    const initialize = () => ({ ...initializeResult(revision20251125.id), ...more });
    const options = { revision: revision20251125.id, limits: { introduction: 2_000 } };
    const connecting = linked(new ScriptedServer({ initialize }), options);
    await expect(connecting).rejects.toMatchObject({
      reason: 'limit',
      message: expect.stringContaining('may have 2000 characters of JSON in all, not 3'),
    });
  },
);

it.each<[string, object]>([
  ...said,
  ['its name', { _meta: { 'io.modelcontextprotocol/serverInfo': { name: long, version: '1' } } }],
])('rejects a discovery when %s is too long', async (_, more) => {
  const discover = () => ({ ...discoverResult([revision20260728.id]), ...more });
  const server = new ScriptedServer({ 'server/discover': discover });
  const connecting = linked(server, { limits: { introduction: 2_000 } });
  await expect(connecting).rejects.toMatchObject({ reason: 'limit' });
  expect(server.peer.methods).toEqual(['server/discover']);
});
