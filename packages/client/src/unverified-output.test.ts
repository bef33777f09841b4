import { revision20251125 } from '@tenon/mcp-protocol';
import { expect, it } from 'vitest';
import { linked } from '../test/linked.js';
import { ScriptedServer } from '../test/scripted-server.js';
import { serverScript } from '../test/scripts.js';

const outputSchema = { type: 'object', $ref: 'https://schemas.example/forecast.json' };
const tools = [{ name: 'forecast', inputSchema: { type: 'object' }, outputSchema }];

function server(): ScriptedServer {
  const script = serverScript(revision20251125, {
    'tools/list': () => ({ tools }),
    'tools/call': () => ({ content: [], structuredContent: { high: 'warm' } }),
  });
  return new ScriptedServer(script);
}

it('a result that cannot be checked is handed out, and told once', async () => {
  const told: string[] = [];
  const onError = (error: unknown): void => void told.push((error as Error).message);
  const client = await linked(server(), { onError });
  await client.tools().all();
  for (let call = 0; call < 3; call++)
    expect((await client.callTool('forecast')).structuredContent).toEqual({ high: 'warm' });
  expect(told).toEqual([
    'Results of the tool "forecast" are not checked by its output schema: it refers to something outside itself.',
  ]);
});

it('with unverifiedOutput "reject" the call rejects', async () => {
  const client = await linked(server(), { unverifiedOutput: 'reject' });
  await client.tools().all();
  await expect(client.callTool('forecast')).rejects.toMatchObject({
    reason: 'invalid-answer',
    message:
      'The result of the tool "forecast" does not match its schema: ' +
      'it cannot be checked, because of its schema: it refers to something outside itself',
  });
});
