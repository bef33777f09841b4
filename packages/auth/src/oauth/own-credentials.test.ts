import { exportJWK, generateKeyPair } from 'jose';
import { expect, it } from 'vitest';
import { canProve, type OwnCredentials, requireCredentials } from './own-credentials.js';

const { privateKey } = await generateKeyPair('ES256', { extractable: true });
const key = { key: await exportJWK(privateKey) };
const clientId = 'c-1';
const clientSecret = 'secret-4711';

it.each<[string, OwnCredentials & { issuer?: string }, RegExp]>([
  ['no client id', {} as OwnCredentials, /clientId is missing/],
  [
    'a method that requires a key',
    { clientId, clientSecret, authMethod: 'private_key_jwt' },
    /requires a key/,
  ],
  [
    'a method that requires a secret',
    { clientId, key, authMethod: 'client_secret_post' },
    /requires a clientSecret/,
  ],
  ['a key that cannot sign', { clientId, key: { key: { kty: 'oct', k: 'x' } } }, /cannot sign/],
  ['an http issuer', { clientId, clientSecret, issuer: 'http://auth.example' }, /https address/],
])('rejects credentials with %s, without quoting the secret', (_what, credentials, message) => {
  expect(() => requireCredentials('clientCredentials()', credentials)).toThrow(TypeError);
  expect(() => requireCredentials('clientCredentials()', credentials)).toThrow(message);
  expect(() => requireCredentials('clientCredentials()', credentials)).not.toThrow(clientSecret);
});

it.each<[OwnCredentials, boolean]>([
  [{ clientId, clientSecret }, true],
  [{ clientId, key }, true],
  [{ clientId, clientSecret, key, authMethod: 'client_secret_basic' }, true],
  [{ clientId }, false],
  [{ clientId, clientSecret, authMethod: 'none' }, false],
])('canProve is true only with a credential to authenticate with', (credentials, can) => {
  expect(() => requireCredentials('clientCredentials()', credentials)).not.toThrow();
  expect(canProve(credentials)).toBe(can);
});
