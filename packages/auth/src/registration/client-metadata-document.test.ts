import { expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { type ClientMetadataDocumentOptions, clientMetadataDocument } from './client-metadata-document.js';

const url = 'https://app.example/oauth/client.json';
const given: ClientMetadataDocumentOptions = {
  url,
  name: 'My agent',
  redirectUris: ['http://127.0.0.1/callback', 'https://app.example/callback'],
};

const publicKey = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  kid: 'one',
};

test('contains the client id and the redirect URIs', () => {
  const { text, url: id } = clientMetadataDocument(given);
  expect(id).toBe(url);
  expect(JSON.parse(text)).toEqual({
    client_id: url,
    client_name: 'My agent',
    redirect_uris: given.redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  });
});

test('contains all metadata with the member names of RFC 7591', () => {
  const noted = { ...publicKey, note: 'not for everybody' };
  const { text } = clientMetadataDocument({
    ...given,
    device: true,
    redirectUris: ['https://app.example/callback'],
    uri: 'https://app.example',
    logoUri: 'https://app.example/logo.png',
    policyUri: 'https://app.example/privacy',
    termsUri: 'https://app.example/terms',
    contacts: ['ops@app.example'],
    softwareId: 'agent',
    softwareVersion: '1.2.3',
    scopes: ['a', 'b'],
    jwks: { keys: [noted] },
  });
  expect(JSON.parse(text)).toMatchObject({
    client_uri: 'https://app.example',
    logo_uri: 'https://app.example/logo.png',
    policy_uri: 'https://app.example/privacy',
    tos_uri: 'https://app.example/terms',
    contacts: ['ops@app.example'],
    software_id: 'agent',
    software_version: '1.2.3',
    scope: 'a b',
    grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
    application_type: 'web',
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [publicKey] },
  });
  expect(text).not.toContain('not for everybody');
  const elsewhere = clientMetadataDocument({ ...given, jwksUri: 'https://app.example/jwks' });
  expect(JSON.parse(elsewhere.text)).toMatchObject({
    jwks_uri: 'https://app.example/jwks',
    token_endpoint_auth_method: 'private_key_jwt',
  });
});

test('serves the document with its cache lifetime', async () => {
  shows('2026-07-28/basic/authorization/client-registration/server-caches');
  const { handler, text } = clientMetadataDocument({ ...given, cacheFor: 90_500 });
  const got = handler(new Request(url));
  expect(got.status).toBe(200);
  expect(got.headers.get('content-type')).toBe('application/json');
  expect(got.headers.get('cache-control')).toBe('public, max-age=90');
  expect(await got.text()).toBe(text);
  const head = handler(new Request(url, { method: 'HEAD' }));
  expect([head.status, await head.text()]).toEqual([200, '']);
  const post = handler(new Request(url, { method: 'POST', body: 'x' }));
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('rejects a URL that cannot be a client id', () => {
  const bad = [
    'http://app.example/client.json',
    'https://app.example',
    'https://app.example/',
    'https://app.example/a/../client.json',
    'https://app.example/./client.json',
    'https://app.example/client.json?a=b',
    'https://app.example/client.json#x',
    'https://u:p@app.example/client.json',
    'https://APP.example/client.json',
    'https://app.example:443/client.json',
    '/client.json',
    '',
  ];
  for (const one of bad) {
    expect(() => clientMetadataDocument({ ...given, url: one }), one).toThrow(TypeError);
  }
  expect(() => clientMetadataDocument({ ...given, url: 'https://app.example/a/%2e%2e/client.json' })).toThrow(
    /must be written as/,
  );
  expect(clientMetadataDocument({ ...given, url: 'https://app.example:8443/client.json' }).url).toContain(
    ':8443',
  );
});

test('rejects redirect URIs that are not https or on this machine', () => {
  shows('2026-07-28/basic/authorization/security-considerations/redirects-https');
  for (const uri of [
    'http://app.example/callback',
    'myapp:/callback',
    'javascript:alert(1)',
    'https://app.example/#x',
    'https://u@app.example/',
    '/callback',
  ]) {
    expect(() => clientMetadataDocument({ ...given, redirectUris: [uri] }), uri).toThrow(TypeError);
  }
  for (const uri of ['http://localhost:3000/callback', 'http://[::1]/callback']) {
    expect(() => clientMetadataDocument({ ...given, redirectUris: [uri] }), uri).not.toThrow();
  }
  expect(() => clientMetadataDocument({ ...given, redirectUris: [] })).toThrow(/at least one URI/);
});

test('rejects private keys', () => {
  for (const key of [
    { ...publicKey, d: 'secret' },
    { kty: 'oct', k: 'secret' },
    { kty: 'RSA', n: 'AQ', e: 'AQAB', p: 'x' },
  ]) {
    expect(() => clientMetadataDocument({ ...given, jwks: { keys: [key] } })).toThrow(
      /they are going to be published/,
    );
  }
  expect(() => clientMetadataDocument({ ...given, jwks: { keys: [] } })).toThrow(TypeError);
  const both = { jwks: { keys: [publicKey] }, jwksUri: 'https://app.example/jwks' };
  expect(() => clientMetadataDocument({ ...given, ...both })).toThrow(/not both/);
});

test('rejects unknown options, and a document that is too large', () => {
  const make = (more: object) => () => clientMetadataDocument({ ...given, ...more });
  expect(make({ redirects: [] })).toThrow(/no option "redirects"/);
  expect(make({ name: '' })).toThrow(TypeError);
  expect(make({ logoUri: 'javascript:alert(1)' })).toThrow(TypeError);
  expect(make({ cacheFor: -1 })).toThrow(RangeError);
  expect(make({ contacts: Array.from({ length: 1_000 }, (_, at) => `a${at}@app.example`) })).toThrow(
    RangeError,
  );
});
