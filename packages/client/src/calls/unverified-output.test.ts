import { revision20251125 } from '@tenon/mcp-protocol/internal';
import { expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { linked } from '../../test/linked.js';
import { ScriptedServer } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';

const outputSchema = { type: 'object', $ref: 'https://schemas.example/forecast.json' };

function server(schema: object = outputSchema): ScriptedServer {
  const tools = [{ name: 'forecast', inputSchema: { type: 'object' }, outputSchema: schema }];
  const script = serverScript(revision20251125, {
    'tools/list': () => ({ tools }),
    'tools/call': () => ({ content: [], structuredContent: { high: 'warm' } }),
  });
  return new ScriptedServer(script);
}

it('rejects a result when its output schema refers to something outside itself', async () => {
  shows(
    '2026-07-28/basic/index/ref-not-fetched',
    '2026-07-28/basic/index/ref-opt-in',
    '2026-07-28/basic/index/ref-unresolved',
    '2026-07-28/server/tools/client-refs',
  );
  const reported: unknown[] = [];
  const client = await linked(server(), { onError: (error) => void reported.push(error) });
  await client.tools().all();
  for (let call = 0; call < 2; call++)
    await expect(client.callTool('forecast')).rejects.toMatchObject({
      reason: 'invalid-answer',
      message:
        'The result of the tool "forecast" cannot be checked by its output schema: it refers to something outside ' +
        'itself. To accept results that are not checked, connect with unverifiedOutput: "accept".',
    });
  expect(reported).toEqual([]);
});

it('returns such a result with unverifiedOutput "accept", and reports it once', async () => {
  const reported: string[] = [];
  const onError = (error: unknown): void => void reported.push((error as Error).message);
  const client = await linked(server(), { onError, unverifiedOutput: 'accept' });
  await client.tools().all();
  for (let call = 0; call < 3; call++)
    expect((await client.callTool('forecast')).structuredContent).toEqual({ high: 'warm' });
  expect(reported).toEqual([
    'Results of the tool "forecast" are not checked by its output schema: it refers to something outside itself.',
  ]);
});

it('rejects a result when its output schema is in an unknown dialect', async () => {
  shows('2026-07-28/basic/index/dialect-unsupported');
  const client = await linked(server({ type: 'object', $schema: 'https://a.example/dialect' }));
  await client.tools().all();
  await expect(client.callTool('forecast')).rejects.toThrow(
    'The result of the tool "forecast" cannot be checked by its output schema: its dialect is not known: "https://a.example/dialect".',
  );
});
