import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { allTextsOf, failureOf, someDay } from '../../test/client/grant-tools.js';
import { authenticateClient, authenticationMethod } from './client-authentication.js';
import type { ClientInformation } from './client-information.js';

const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
const key = { key: privateKey };
const clientSecret = 'Ab c:d+e/f%g\u00e9~*';

function target(client: Partial<ClientInformation>, methods: readonly string[], endpoint?: string) {
  const clock = new FakeClock();
  clock.stall(someDay);
  return {
    issuer: 'https://auth.example',
    endpoint: new URL(endpoint ?? 'https://auth.example/token'),
    methods,
    client: { clientId: 'my client', ...client },
    clock,
  };
}

const all = ['none', 'client_secret_post', 'client_secret_basic', 'private_key_jwt'];

describe('authenticationMethod', () => {
  it.each<[string, Partial<ClientInformation>, readonly string[], string]>([
    ['the key before the secret', { clientSecret, key }, all, 'private_key_jwt'],
    ['the header before the body', { clientSecret }, all, 'client_secret_basic'],
    [
      'the body if the server accepts nothing else',
      { clientSecret },
      ['client_secret_post'],
      'client_secret_post',
    ],
    [
      'the only method of the client',
      { clientSecret },
      ['private_key_jwt', 'client_secret_post'],
      'client_secret_post',
    ],
    ['no secret where none is wanted', { clientSecret, key }, ['none'], 'none'],
    ['none where there is nothing', {}, all, 'none'],
    ['none where there is nothing, even unlisted', {}, ['client_secret_basic'], 'none'],
    [
      'what was registered',
      { clientSecret, key, authMethod: 'client_secret_post' },
      all,
      'client_secret_post',
    ],
    ['none, if it was registered', { clientSecret, authMethod: 'none' }, ['client_secret_basic'], 'none'],
    [
      'what was registered where the server does not say',
      { clientSecret, authMethod: 'client_secret_post' },
      ['client_secret_basic'],
      'client_secret_post',
    ],
  ])('chooses %s', (...[, client, methods, method]) => {
    expect(authenticationMethod(target(client, methods))).toBe(method);
  });

  it.each<[string, Partial<ClientInformation>, readonly string[]]>([
    ['a secret if the server requires a key', { clientSecret }, ['private_key_jwt']],
    [
      'a secret if the server requires unknown methods',
      { clientSecret },
      ['tls_client_auth', 'client_secret_jwt'],
    ],
    ['a secret if the server accepts no method', { clientSecret }, []],
    ['a key if the server requires a secret', { key }, ['client_secret_basic', 'client_secret_post']],
    [
      'a method that the server does not list',
      { clientSecret, authMethod: 'client_secret_post' },
      ['private_key_jwt'],
    ],
    ['a method without its credential', { clientSecret, authMethod: 'private_key_jwt' }, all],
    ['an empty secret', { clientSecret: '', authMethod: 'client_secret_basic' }, all],
  ])('rejects %s, and lists the methods of both', async (_what, client, methods) => {
    const error = await failureOf(authenticateClient(target(client, methods)));
    expect(error).toMatchObject({ name: 'AuthError', reason: 'unsupported' });
    expect(allTextsOf(error)).not.toContain(clientSecret);
  });

  it('quotes only the beginning of a hostile list of methods', async () => {
    const hostile = ['\u001b[2Jx', ...Array.from({ length: 5_000 }, () => 'y'.repeat(5_000))];
    const error = await failureOf(authenticateClient(target({ clientSecret }, hostile)));
    expect((error as Error).message.length).toBeLessThan(1_500);
    expect((error as Error).message).not.toContain('\u001b');
  });

  it('uses a secret until it expires', async () => {
    const fresh = target({ clientSecret, secretExpiresAt: someDay + 1 }, all);
    expect(authenticationMethod(fresh)).toBe('client_secret_basic');
    const expired = target({ clientSecret, secretExpiresAt: someDay }, all);
    expect(await failureOf(authenticateClient(expired))).toMatchObject({ reason: 'not-registered' });
    expect(authenticationMethod(target({ key, clientSecret, secretExpiresAt: someDay }, all))).toBe(
      'private_key_jwt',
    );
  });
});

describe('authenticateClient', () => {
  it('sends only the client id without a credential', async () => {
    const given = await authenticateClient(target({}, ['none']));
    expect(given).toEqual({ method: 'none', headers: {}, params: { client_id: 'my client' }, secrets: [] });
    expect((await authenticateClient(target({ clientId: '' }, ['none']))).params).toEqual({});
  });

  it('form-encodes id and secret in the Authorization header (RFC 6749, 2.3.1)', async () => {
    const clientId = 'https://app.example/client.json';
    const { headers, params, secrets } = await authenticateClient(
      target({ clientId, clientSecret }, ['client_secret_basic']),
    );
    const [, credentials = ''] = /^Basic (\S+)$/.exec(headers.authorization ?? '') ?? [];
    const [id, secret, ...rest] = atob(credentials).split(':');
    expect(rest).toEqual([]);
    expect(new URLSearchParams(`id=${id}&secret=${secret}`).get('id')).toBe(clientId);
    expect(new URLSearchParams(`id=${id}&secret=${secret}`).get('secret')).toBe(clientSecret);
    expect(secret).toBe('Ab+c%3Ad%2Be%2Ff%25g%C3%A9%7E*');
    expect(params).toEqual({});
    expect(secrets).toEqual([clientSecret, credentials]);
  });

  it('leaves hyphens, dots, underscores and asterisks unencoded, for servers that do not decode them', async () => {
    const clientId = '3f2c9e1a-7b64-4a0e.app_1';
    const { headers } = await authenticateClient(
      target({ clientId, clientSecret: 'a-b.c_d*' }, ['client_secret_basic']),
    );
    expect(headers.authorization).toBe(`Basic ${btoa(`${clientId}:a-b.c_d*`)}`);
  });

  it('puts id and secret into the body', async () => {
    const { headers, params, secrets } = await authenticateClient(
      target({ clientSecret }, ['client_secret_post']),
    );
    expect(headers).toEqual({});
    expect(params).toEqual({ client_id: 'my client', client_secret: clientSecret });
    expect(secrets).toEqual([clientSecret]);
  });

  it('signs an assertion, and adds the client id', async () => {
    const { headers, params, secrets } = await authenticateClient(target({ key }, ['private_key_jwt']));
    expect(headers).toEqual({});
    expect(Object.keys(params).sort()).toEqual(['client_assertion', 'client_assertion_type', 'client_id']);
    expect(params.client_id).toBe('my client');
    expect(params.client_assertion_type).toBe('urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
    const { payload } = await jwtVerify(params.client_assertion ?? '', publicKey, {
      currentDate: new Date(someDay),
    });
    expect(payload.sub).toBe('my client');
    expect(secrets).toEqual([params.client_assertion]);
  });

  it.each([
    [{ clientSecret }, ['client_secret_basic']],
    [{ clientSecret }, ['client_secret_post']],
    [{ key }, ['private_key_jwt']],
  ])('sends no secret over plain http', async (client, methods) => {
    const error = await failureOf(authenticateClient(target(client, methods, 'http://auth.example/token')));
    expect(error).toMatchObject({ name: 'AuthError', reason: 'forbidden-address' });
    expect(allTextsOf(error)).not.toContain(clientSecret);
    await authenticateClient(target(client, methods, 'http://127.0.0.1:9000/token'));
  });

  it('does not quote a key that cannot be read', async () => {
    const pem = (await exportPKCS8(privateKey)).replace(/\n.{20}/, '\n');
    const error = await failureOf(
      authenticateClient(target({ key: { key: pem, alg: 'ES256' } }, ['private_key_jwt'])),
    );
    expect(error).toMatchObject({ name: 'AuthError', reason: 'unsupported' });
    for (const line of pem.split('\n').filter((text) => text.length > 20 && !text.startsWith('-'))) {
      expect(allTextsOf(error)).not.toContain(line.slice(0, 20));
    }
  });
});
