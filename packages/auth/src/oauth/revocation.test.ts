import { expect, it } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { FakeHttp, fakeServer, fakeTokens } from '../../test/client/fake-authorization.js';
import { revokeTokens } from './revocation.js';

const revocationEndpoint = new URL('https://auth.example/revoke');

function revoke(server: object, tokens: object, client: object = {}): Promise<FakeHttp> {
  const http = new FakeHttp(() => ({ status: 503 }));
  const tools = { http, clock: new FakeClock(), signal: undefined };
  const request = {
    server: fakeServer(server),
    tokens: fakeTokens(tokens),
    client: { clientId: 'client-1', ...client },
    tools,
  };
  return revokeTokens(request).then(() => http);
}

it('revokes the refresh token', async () => {
  const { sent } = await revoke({ revocationEndpoint }, { refreshToken: 'refresh-1' });
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ method: 'POST', url: revocationEndpoint });
  expect(sent[0]?.body).toBe('token=refresh-1&token_type_hint=refresh_token&client_id=client-1');
});

it('revokes the access token if there is no refresh token, with client authentication', async () => {
  const { sent } = await revoke({ revocationEndpoint }, {}, { clientSecret: 'secret' });
  expect(sent[0]?.body).toBe('token=access-1&token_type_hint=access_token');
  expect(sent[0]?.headers?.authorization).toBe(`Basic ${btoa('client-1:secret')}`);
});

it('sends nothing if the server has no revocation endpoint', async () => {
  expect((await revoke({}, {})).sent).toEqual([]);
});
