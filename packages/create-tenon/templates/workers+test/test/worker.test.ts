import { connect } from '@tenon/mcp-client';
import { expect, test } from 'vitest';
import worker from '../src/worker.ts';

test('answers at /mcp only', async () => {
  const fetch = async (input: string | URL | Request, init?: RequestInit) =>
    worker.fetch(new Request(input, init));
  const client = await connect('https://worker.example/mcp', {
    info: { name: 'test', version: '1.0.0' },
    fetch,
  });
  const { structuredContent } = await client.callTool('convert_length', { value: 1, from: 'ft', to: 'in' });
  expect(structuredContent).toMatchObject({ unit: 'in' });
  await client.close();
  expect((await fetch('https://worker.example/')).status).toBe(404);
});
