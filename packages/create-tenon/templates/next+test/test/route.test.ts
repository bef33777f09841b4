import { connect } from '@tenon/mcp-client';
import { expect, test } from 'vitest';
import { DELETE, GET, POST } from '../src/app/mcp/route.ts';

const methods: Readonly<Record<string, typeof POST>> = { DELETE, GET, POST };

test('answers an MCP client', async () => {
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init);
    return methods[request.method]?.(request) ?? new Response(null, { status: 405 });
  };
  const client = await connect('http://localhost:3000/mcp', {
    info: { name: 'test', version: '1.0.0' },
    fetch,
  });
  const { structuredContent } = await client.callTool('convert_length', { value: 1, from: 'ft', to: 'in' });
  expect(structuredContent).toMatchObject({ unit: 'in' });
  await client.close();
});
