import { decodeJwt } from 'jose';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { publicClient, requestToken, secretClient } from '../../test/oauth-exchange.js';
import type { TestAuthorizationServer } from '../oauth.js';
import { startTestAuthorizationServer } from '../oauth.js';

let server: TestAuthorizationServer;

beforeEach(async () => {
  server = await startTestAuthorizationServer({ clients: [publicClient, secretClient] });
});

afterEach(() => server.close());

const params = { grant_type: 'client_credentials', client_id: 'backend', client_secret: 'hush' };

test('issues a token without a user and without a refresh token', async () => {
  const { body } = await requestToken(server, { ...params, scope: 'read', resource: 'https://mcp.example/' });
  expect(body).toMatchObject({ token_type: 'Bearer', scope: 'read' });
  expect(body).not.toHaveProperty('refresh_token');
  expect(decodeJwt(String(body.access_token))).toMatchObject({
    sub: 'backend',
    client_id: 'backend',
    aud: 'https://mcp.example/',
  });
});

test('rejects a client without credentials', async () => {
  const { body } = await requestToken(server, { grant_type: 'client_credentials', client_id: 'desk' });
  expect(body.error).toBe('unauthorized_client');
});

test('rejects a grant that the client may not use, or that is switched off', async () => {
  server.addClient({ ...secretClient, grantTypes: ['authorization_code'] });
  expect((await requestToken(server, params)).body.error).toBe('unauthorized_client');
  server.addClient(secretClient);
  server.behave({ grantTypes: ['authorization_code'] });
  expect((await requestToken(server, params)).body.error).toBe('unsupported_grant_type');
});
