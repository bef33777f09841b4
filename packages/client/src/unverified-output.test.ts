import { revision20251125 } from '@tenon/mcp-protocol/internal';
import { expect, it } from 'vitest';
import { linked } from '../test/linked.js';
import { ScriptedServer } from '../test/scripted-server.js';
import { serverScript } from '../test/scripts.js';

const outputSchema = { type: 'object', $ref: 'https://schemas.example/forecast.json' };

function server(schema: object = outputSchema): ScriptedServer {
  const tools = [{ name: 'forecast', inputSchema: { type: 'object' }, outputSchema: schema }];
  const script = serverScript(revision20251125, {
    'tools/list': () => ({ tools }),
    'tools/call': () => ({ content: [], structuredContent: { high: 'warm' } }),
  });
  return new ScriptedServer(script);
}

it('rejects a result whose output schema refers to something outside itself', async () => {
  const told: unknown[] = [];
  const client = await linked(server(), { onError: (error) => void told.push(error) });
  await client.tools().all();
  for (let call = 0; call < 2; call++)
    await expect(client.callTool('forecast')).rejects.toMatchObject({
      reason: 'invalid-answer',
      message:
        'The result of the tool "forecast" cannot be checked by its output schema: it refers to something outside ' +
        'itself. To accept results that are not checked, connect with unverifiedOutput: "accept".',
    });
  expect(told).toEqual([]);
});

it('returns such a result with unverifiedOutput "accept", and reports it once', async () => {
  const told: string[] = [];
  const onError = (error: unknown): void => void told.push((error as Error).message);
  const client = await linked(server(), { onError, unverifiedOutput: 'accept' });
  await client.tools().all();
  for (let call = 0; call < 3; call++)
    expect((await client.callTool('forecast')).structuredContent).toEqual({ high: 'warm' });
  expect(told).toEqual([
    'Results of the tool "forecast" are not checked by its output schema: it refers to something outside itself.',
  ]);
});

it('rejects a result whose output schema is in an unknown dialect', async () => {
  const client = await linked(server({ type: 'object', $schema: 'https://a.example/dialect' }));
  await client.tools().all();
  await expect(client.callTool('forecast')).rejects.toThrow(
    'The result of the tool "forecast" cannot be checked by its output schema: its dialect is not known: "https://a.example/dialect".',
  );
});
