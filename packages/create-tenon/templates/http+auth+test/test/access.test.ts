import { connect } from '@tenon/mcp-client';
import { startTestAuthorizationServer } from '@tenon/mcp-testing/oauth';
import { expect, test } from 'vitest';
import { serve } from '../src/serve.ts';

const info = { name: 'test', version: '1.0.0' };

test('answers callers that have an access token, and no others', async () => {
  const authorization = await startTestAuthorizationServer();
  const serving = await serve({ PORT: '0', ISSUER: authorization.issuer });
  await expect(connect(serving.url, { info })).rejects.toMatchObject({ status: 401 });

  const token = await authorization.issueToken({ subject: 'ada', audience: serving.url });
  const client = await connect(serving.url, { info, headers: { authorization: `Bearer ${token}` } });
  const { content } = await client.callTool('list_units');
  expect(content).toMatchObject([{ type: 'text', text: 'mm, cm, m, km, in, ft, mi' }]);
  await client.close();
  await Promise.all([serving.close(), authorization.close()]);
});

test('does not start without an authorization server', async () => {
  await expect(serve({ PORT: '0' })).rejects.toThrow('Set ISSUER');
});
