import { defineMethod } from '@tenon/mcp-protocol';
import { revision20260728 } from '@tenon/mcp-protocol/internal';
import { expect, it } from 'vitest';
import { linked } from '../../test/linked.js';
import { ScriptedServer } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';

it('says to pass the value of defineMethod when the method of a request is a name outside the core protocol', async () => {
  const server = new ScriptedServer(serverScript(revision20260728, { 'acme/search': () => ({ found: 1 }) }));
  const client = await linked(server);
  await expect(client.request('acme/search' as never, {} as never)).rejects.toThrow(
    'client.request: the core protocol has no method "acme/search". Pass the value of defineMethod, not the name: ' +
      'client.request(defineMethod("acme/search", {}), params).',
  );
  expect(await client.request(defineMethod('acme/search'), {})).toEqual({ found: 1 });
  // The name is known once the client has the method.
  expect(await client.request('acme/search' as never, {} as never)).toMatchObject({ found: 1 });
  await expect(client.request('ping', {})).rejects.toMatchObject({ reason: 'not-in-revision' });
});
