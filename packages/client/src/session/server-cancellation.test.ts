import { revision20260728 } from '@tenon/mcp-protocol/internal';
import { expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { linked } from '../../test/linked.js';
import { type Script, ScriptedServer } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';

const serving = (more: Script) => new ScriptedServer(serverScript(revision20260728, more));

it('a server cannot cancel a call', async () => {
  shows('2026-07-28/basic/patterns/cancellation/server-references-listen');
  const server = serving({
    'tools/call': (_, peer, id) => {
      peer.notify('notifications/cancelled', { requestId: id, reason: 'not yours' });
      return { content: [] };
    },
  });
  const client = await linked(server);
  expect((await client.callTool('t')).content).toEqual([]);
});
