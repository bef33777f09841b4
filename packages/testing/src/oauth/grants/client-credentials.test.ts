import { decodeJwt } from 'jose';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { askToken, publicClient, secretClient } from '../../../test/oauth-exchange.js';
import type { TestAuthorizationServer } from '../../oauth.js';
import { startTestAuthorizationServer } from '../../oauth.js';

let server: TestAuthorizationServer;

beforeEach(async () => {
  server = await startTestAuthorizationServer({ clients: [publicClient, secretClient] });
});

afterEach(() => server.close());

const params = { grant_type: 'client_credentials', client_id: 'backend', client_secret: 'hush' };

test('a client with credentials acts for itself, without a refresh token', async () => {
  const { body } = await askToken(server, { ...params, scope: 'read', resource: 'https://mcp.example/' });
  expect(body).toMatchObject({ token_type: 'Bearer', scope: 'read' });
  expect(body).not.toHaveProperty('refresh_token');
  expect(decodeJwt(String(body.access_token))).toMatchObject({
    sub: 'backend',
    client_id: 'backend',
    aud: 'https://mcp.example/',
  });
});

test('a client without credentials cannot', async () => {
  const { body } = await askToken(server, { grant_type: 'client_credentials', client_id: 'desk' });
  expect(body.error).toBe('unauthorized_client');
});

test('a client that may not use the grant is refused, as is a grant that is switched off', async () => {
  server.addClient({ ...secretClient, grantTypes: ['authorization_code'] });
  expect((await askToken(server, params)).body.error).toBe('unauthorized_client');
  server.addClient(secretClient);
  server.behave({ grantTypes: ['authorization_code'] });
  expect((await askToken(server, params)).body.error).toBe('unsupported_grant_type');
});
