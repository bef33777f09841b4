import { connect } from '@tenon/mcp-client';
import { startTestAuthorizationServer } from '@tenon/mcp-testing/oauth';
import { expect, test } from 'vitest';
import worker from '../src/worker.ts';

const RESOURCE = 'https://worker.example/mcp';

test('answers callers that have an access token, and no others', async () => {
  const authorization = await startTestAuthorizationServer();
  const env = { ISSUER: authorization.issuer, RESOURCE };
  const fetch = async (input: string | URL | Request, init?: RequestInit) =>
    worker.fetch(new Request(input, init), env);
  const options = { info: { name: 'test', version: '1.0.0' }, fetch };
  await expect(connect(RESOURCE, options)).rejects.toMatchObject({ status: 401 });

  const token = await authorization.issueToken({ subject: 'ada', audience: RESOURCE });
  const client = await connect(RESOURCE, { ...options, headers: { authorization: `Bearer ${token}` } });
  const { content } = await client.callTool('list_units');
  expect(content).toMatchObject([{ type: 'text', text: 'mm, cm, m, km, in, ft, mi' }]);
  await client.close();
  await authorization.close();
});
