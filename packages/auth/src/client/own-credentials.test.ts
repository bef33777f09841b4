import { exportJWK, generateKeyPair } from 'jose';
import { expect, it } from 'vitest';
import { canProve, type OwnCredentials, requireCredentials } from './own-credentials.js';

const { privateKey } = await generateKeyPair('ES256', { extractable: true });
const key = { key: await exportJWK(privateKey) };
const clientId = 'c-1';
const clientSecret = 'secret-4711';

it.each<[string, OwnCredentials & { issuer?: string }, RegExp]>([
  ['no client id', {} as OwnCredentials, /clientId is missing/],
  ['a way that takes a key', { clientId, clientSecret, authMethod: 'private_key_jwt' }, /takes a key/],
  ['a way that takes a secret', { clientId, key, authMethod: 'client_secret_post' }, /takes a clientSecret/],
  ['a key that signs nothing', { clientId, key: { key: { kty: 'oct', k: 'x' } } }, /cannot sign/],
  ['an issuer in the clear', { clientId, clientSecret, issuer: 'http://auth.example' }, /https address/],
])('refuses credentials with %s, and repeats no secret', (_what, credentials, message) => {
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
])('tells who can prove who it is', (credentials, can) => {
  expect(() => requireCredentials('clientCredentials()', credentials)).not.toThrow();
  expect(canProve(credentials)).toBe(can);
});
