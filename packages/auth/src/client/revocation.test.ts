import { expect, it } from 'vitest';
import { FakeHttp, fakeServer, fakeTokens } from '../../test/fake-authorization.js';
import { ManualClock } from '../../test/manual-clock.js';
import { revokeTokens } from './revocation.js';

const revocationEndpoint = new URL('https://auth.example/revoke');

function revoke(server: object, tokens: object, client: object = {}): Promise<FakeHttp> {
  const http = new FakeHttp(() => ({ status: 503 }));
  const tools = { http, clock: new ManualClock(), signal: undefined };
  const request = {
    server: fakeServer(server),
    tokens: fakeTokens(tokens),
    client: { clientId: 'client-1', ...client },
    tools,
  };
  return revokeTokens(request).then(() => http);
}

it('gives the refresh token back, with which the others go', async () => {
  const { sent } = await revoke({ revocationEndpoint }, { refreshToken: 'refresh-1' });
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ method: 'POST', url: revocationEndpoint });
  expect(sent[0]?.body).toBe('token=refresh-1&token_type_hint=refresh_token&client_id=client-1');
});

it('gives the access token back where there is no other, proving who it is', async () => {
  const { sent } = await revoke({ revocationEndpoint }, {}, { clientSecret: 'secret' });
  expect(sent[0]?.body).toBe('token=access-1&token_type_hint=access_token');
  expect(sent[0]?.headers?.authorization).toBe(`Basic ${btoa('client-1:secret')}`);
});

it('asks nobody where nothing is taken back', async () => {
  expect((await revoke({}, {})).sent).toEqual([]);
});
