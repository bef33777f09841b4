import { afterEach, beforeEach, expect, test } from 'vitest';
import { authorize, exchange, publicClient, requestToken, secretClient } from '../../test/oauth-exchange.js';
import type { TestAuthorizationServer, TokenRequest } from '../oauth.js';
import { oauthError, startTestAuthorizationServer } from '../oauth.js';

let server: TestAuthorizationServer;

beforeEach(async () => {
  server = await startTestAuthorizationServer({ clients: [publicClient, secretClient] });
});

afterEach(() => server.close());

const params = { grant_type: 'client_credentials', client_id: 'backend', client_secret: 'hush' };

test('calls onToken with client and grant, and sends its response if it returns one', async () => {
  const heard: TokenRequest[] = [];
  server.behave({
    onToken: (request) => {
      heard.push(request);
      return heard.length === 1 ? oauthError('temporarily_unavailable', 'not now', 503) : undefined;
    },
  });
  const refused = await requestToken(server, { ...params, scope: 'read' });
  expect(refused.status).toBe(503);
  expect(refused.body).toEqual({ error: 'temporarily_unavailable', error_description: 'not now' });
  expect((await requestToken(server, params)).status).toBe(200);
  expect(heard).toMatchObject([
    { grantType: 'client_credentials', clientId: 'backend', params: { scope: 'read' } },
    { grantType: 'client_credentials', clientId: 'backend' },
  ]);
});

test('uses nothing up when onToken rejects a request', async () => {
  const code = (await authorize(server)).get('code');
  server.behave({ onToken: () => oauthError('server_error', 'a fault', 500) });
  expect((await exchange(server, code)).status).toBe(500);
  server.behave({ onToken: undefined } as never);
  expect((await exchange(server, code)).status).toBe(200);
});

test('waits for onToken before handling a request', async () => {
  let goOn = () => {};
  const waiting = new Promise<undefined>((resolve) => {
    goOn = () => resolve(undefined);
  });
  const order: string[] = [];
  server.behave({
    onToken: () => {
      order.push('asked');
      return waiting;
    },
  });
  const answers = [requestToken(server, params), requestToken(server, params)].map((answer) =>
    answer.then(() => order.push('answered')),
  );
  while (order.length < 2) await new Promise((resolve) => setImmediate(resolve));
  goOn();
  await Promise.all(answers);
  expect(order).toEqual(['asked', 'asked', 'answered', 'answered']);
});

test('lets tokenAnswer change or lose the response after the tokens were issued', async () => {
  server.behave({
    tokenAnswer: ({ body, ...answer }) => ({ ...answer, body: { ...(body as object), token_type: 'mac' } }),
  });
  const changed = await requestToken(server, params);
  expect(changed.body.token_type).toBe('mac');
  expect(changed.headers.get('cache-control')).toBe('no-store');
  const code = (await authorize(server)).get('code');
  server.behave({ tokenAnswer: () => 'hang-up' });
  await expect(exchange(server, code)).rejects.toThrow();
  server.behave({ tokenAnswer: (answer) => answer });
  expect((await exchange(server, code)).body.error).toBe('invalid_grant');
});

test.each([
  [{ grant_type: undefined }, 'invalid_request'],
  [{ grant_type: 'password' }, 'unsupported_grant_type'],
  [{ scope: ['one', 'two'] }, 'invalid_request'],
  [{ client_id: undefined, client_secret: undefined }, 'invalid_client'],
])('rejects %j with %s', async (changes, error) => {
  expect((await requestToken(server, { ...params, ...changes })).body.error).toBe(error);
});

test('rejects a body that is not a form', async () => {
  const response = await fetch(`${server.issuer}/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(params),
  });
  expect(await response.json()).toMatchObject({ error: 'invalid_request' });
});

test('ignores parameters in the query', async () => {
  const response = await fetch(`${server.issuer}/token?${new URLSearchParams(params)}`, {
    method: 'POST',
    body: new URLSearchParams(),
  });
  expect(await response.json()).toMatchObject({ error: 'invalid_request' });
});
