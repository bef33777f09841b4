import { otherBounds } from '@tenon/foundation';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { authorizationUrl, authorize, exchange, newSigner, redirectUri } from '../../test/oauth-exchange.js';
import type { TestAuthorizationServer } from '../oauth.js';
import { startTestAuthorizationServer } from '../oauth.js';

const clientId = 'https://app.example/oauth/client.json';
const endless = 'https://app.example/endless.json';
const good = { client_id: clientId, client_name: 'The app', redirect_uris: [redirectUri] };

let server: TestAuthorizationServer;
let documents: Map<string, () => Response>;
let fetched: string[];

beforeEach(async () => {
  documents = new Map([[clientId, () => Response.json(good)]]);
  fetched = [];
  server = await startTestAuthorizationServer({
    ...otherBounds({ documentBytes: 1_000, documentTime: 50 }),
    fetch: async (url, init) => {
      fetched.push(url);
      expect(init.redirect).toBe('error');
      if (url === endless)
        return new Promise((_resolve, reject) => {
          init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        });
      const answer = documents.get(url);
      if (answer === undefined) throw new Error('no server has this URL');
      return answer();
    },
  });
});

afterEach(() => server.close());

async function refusal(client_id: string): Promise<string> {
  const response = await fetch(authorizationUrl(server, { client_id }), { redirect: 'manual' });
  expect(response.status).toBe(400);
  return response.text();
}

test('accepts the URL of a metadata document as client id', async () => {
  shows(
    '2026-07-28/basic/authorization/client-registration/server-fetches',
    '2026-07-28/basic/authorization/security-considerations/ssrf',
  );
  const code = (await authorize(server, { client_id: clientId })).get('code');
  const { status } = await exchange(server, code, { client_id: clientId });
  expect(status).toBe(200);
  expect(server.clients.get(clientId)).toMatchObject({ name: 'The app', redirectUris: [redirectUri] });
});

test('fetches the document for each authorization request, and not for tokens', async () => {
  shows('2026-07-28/basic/authorization/client-registration/server-redirects');
  const code = (await authorize(server, { client_id: clientId })).get('code');
  await exchange(server, code, { client_id: clientId });
  expect(fetched).toEqual([clientId]);
  documents.set(clientId, () => Response.json({ ...good, redirect_uris: ['https://app.example/other'] }));
  expect(await refusal(clientId)).toContain('is not a redirect URI of this client');
  expect(fetched).toEqual([clientId, clientId]);
});

test('does not fetch a registered client', async () => {
  server.addClient({ clientId, redirectUris: [redirectUri] });
  expect((await authorize(server, { client_id: clientId })).get('code')).not.toBeNull();
  expect(fetched).toEqual([]);
});

test.each([
  [
    'another client_id',
    () => Response.json({ ...good, client_id: `${clientId}?` }),
    /not that URL/,
    '2026-07-28/basic/authorization/client-registration/server-matches',
  ],
  [
    'no name',
    () => Response.json({ ...good, client_name: undefined }),
    /no client_name/,
    '2026-07-28/basic/authorization/client-registration/server-structure',
  ],
  [
    'no redirect URIs',
    () => Response.json({ ...good, redirect_uris: undefined }),
    /redirect_uris/,
    '2026-07-28/basic/authorization/client-registration/server-structure',
  ],
  [
    'a secret',
    () => Response.json({ ...good, token_endpoint_auth_method: 'client_secret_post' }),
    /one of none/,
    '2026-07-28/basic/authorization/client-registration/server-security',
  ],
  ['an error', () => new Response('no', { status: 404 }), /the status is 404/],
  ['a list', () => Response.json([good]), /not a JSON object/],
  [
    'no JSON',
    () => new Response('<html>'),
    /JSON/,
    '2026-07-28/basic/authorization/client-registration/server-structure',
  ],
  [
    'too much',
    () => Response.json({ ...good, more: 'x'.repeat(1_000) }),
    /larger than 1000 bytes/,
    '2026-07-28/basic/authorization/client-registration/server-security',
    '2026-07-28/basic/authorization/security-considerations/ssrf',
  ],
])('rejects a document with %s', async (...[, answer, reason, ...ids]) => {
  shows(...ids);
  documents.set(clientId, answer);
  expect(await refusal(clientId)).toMatch(reason);
});

test('rejects a document that does not arrive in time', async () => {
  expect(await refusal(endless)).toContain('cannot be read');
});

test.each([
  'http://app.example/client.json',
  'https://app.example',
  'https://app.example/',
  'https://app.example/a/../client.json',
  'https://app.example/client.json#part',
  'https://me@app.example/client.json',
])('does not fetch %s as a metadata document', async (address) => {
  showsBy(address, {
    'https://app.example/a/../client.json':
      '2026-07-28/basic/authorization/client-registration/server-security',
    'http://app.example/client.json': '2026-07-28/basic/authorization/security-considerations/ssrf',
  });
  expect(await refusal(address)).toContain('is unknown');
  expect(fetched).toEqual([]);
});

test('does not fetch documents if clientIdDocuments is false', async () => {
  server.behave({ clientIdDocuments: false });
  expect(await refusal(clientId)).toContain('is unknown');
  expect(fetched).toEqual([]);
});

test('reads keys from the document, or from its jwks_uri', async () => {
  const { jwks, sign } = await newSigner();
  const signing = { ...good, token_endpoint_auth_method: 'private_key_jwt' };
  const keysAt = 'https://app.example/keys.json';
  documents.set(keysAt, () => Response.json(jwks));
  for (const keys of [{ jwks }, { jwks_uri: keysAt }]) {
    documents.set(clientId, () => Response.json({ ...signing, ...keys }));
    const code = (await authorize(server, { client_id: clientId })).get('code');
    const claims = {
      iss: clientId,
      sub: clientId,
      aud: server.issuer,
      exp: 4_000_000_000,
      jti: crypto.randomUUID(),
    };
    const { body } = await exchange(server, code, {
      client_id: undefined,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await sign(claims),
    });
    expect(body).toHaveProperty('access_token');
  }
  documents.set(clientId, () => Response.json({ ...signing, jwks_uri: 'http://app.example/keys.json' }));
  expect(await refusal(clientId)).toContain('must be an https URL');
});
