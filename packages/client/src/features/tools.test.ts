import type { UnknownObject } from '@tenon/mcp-protocol';
import { revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { settled } from '../../../testing/src/fake-clock.js';
import { linked } from '../../test/linked.js';
import { ScriptedServer, WireRefusal } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';

const outputSchema = { type: 'object', properties: { high: { type: 'number' } }, required: ['high'] };
const tool = { name: 'forecast', inputSchema: { type: 'object' }, outputSchema };

function server(result: UnknownObject): ScriptedServer {
  return new ScriptedServer(
    serverScript(revision20251125, { 'tools/list': () => ({ tools: [tool] }), 'tools/call': () => result }),
  );
}

const wrong = { content: [], structuredContent: { high: 'warm' } };

it('structured content is checked once the tools are known', async () => {
  shows(
    '2024-11-05/server/tools/results-validated',
    '2025-11-25-server-features/tools/client-validates',
    '2025-11-25-server-features/tools/results-validated',
    '2026-07-28/server/tools/output-validated',
    '2026-07-28/server/tools/client-validates',
    'draft-tools/tools/results-validated',
  );
  const peer = server(wrong);
  const client = await linked(peer);
  expect((await client.callTool('forecast')).structuredContent).toEqual({ high: 'warm' });
  await client.tools().all();
  await expect(client.callTool('forecast')).rejects.toMatchObject({
    reason: 'invalid-answer',
    message: 'The result of the tool "forecast" does not match its schema: #/high: must be number',
  });
  peer.peer.notify('notifications/tools/list_changed');
  await settled();
  expect((await client.callTool('forecast')).structuredContent).toEqual({ high: 'warm' });
});

it('a result without the content its schema promises is refused, an error is not', async () => {
  shows('2025-11-25-server-features/tools/client-validates', '2026-07-28/server/tools/output-validated');
  const lacking = await linked(server({ content: [] }));
  await lacking.tools().all();
  await expect(lacking.callTool('forecast')).rejects.toThrow('it has no structured content');
  const failing = await linked(server({ content: [], isError: true }));
  await failing.tools().all();
  expect(await failing.callTool('forecast')).toEqual({ content: [], isError: true });
});

it('a call sends what it was given, and asks for progress to stay alive', async () => {
  const peer = server({ content: [], structuredContent: { high: 1 } });
  const client = await linked(peer);
  expect(await client.callTool('forecast')).toEqual({
    content: [],
    structuredContent: { high: 1 },
    isError: false,
  });
  await client.callTool('forecast', { city: 'Oslo' }, { meta: { traceparent: '00-1' }, progress: false });
  expect(
    peer.peer.heard.filter((one) => one.method === 'tools/call').map((one) => [one.id, one.params]),
  ).toEqual([
    [3, { name: 'forecast', _meta: { progressToken: 3 } }],
    [4, { name: 'forecast', arguments: { city: 'Oslo' }, _meta: { traceparent: '00-1' } }],
  ]);
});

it('an error of the server comes as it was sent', async () => {
  shows('2026-07-28/server/tools/protocol-errors-to-model');
  const script = { 'tools/call': () => new WireRefusal(-32602, 'Unknown tool', { name: 'x' }) };
  const client = await linked(new ScriptedServer(serverScript(revision20260728, script)));
  await expect(client.callTool('x')).rejects.toMatchObject({
    code: -32602,
    message: 'tools/call x: Unknown tool',
    data: { name: 'x' },
  });
});
