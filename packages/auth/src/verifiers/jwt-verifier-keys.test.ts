import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settled } from '../../../testing/src/fake-clock.js';
import { createSigner } from '../../test/server/signer.js';
import { anyRequest, type TestRealm, testRealm } from '../../test/server/token-realm.js';
import { jwtVerifier } from './jwt-verifier.js';
import type { JwtVerifierOptions } from './jwt-verifier-options.js';
import type { Verify } from './verify.js';

const signer = await createSigner();
const rotated = await createSigner('key-2');

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let issuer: string;
let answers: Map<string, Answer>;
let asked: string[];
let realm: TestRealm;
let verify: Verify;

beforeEach(async () => {
  asked = [];
  answers = new Map();
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const answer = answers.get(request.url ?? '');
    if (answer !== undefined) return answer(request, response);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  realm = testRealm([issuer]);
  answers.set('/keys', json({ keys: [signer.jwk] }));
  answers.set('/.well-known/oauth-authorization-server', json({ issuer, jwks_uri: `${issuer}/keys` }));
  verify = jwtVerifier();
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function json(body: unknown): Answer {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
}

const check = async (token: string | Promise<string>, one: Verify = verify) =>
  one(await token, anyRequest, realm);
const known = { id: 'alice' };
const unreachable = { name: 'AuthError', reason: 'unreachable' };

describe('jwtVerifier with keys of an issuer', () => {
  it('finds them through the metadata, and fetches them once', async () => {
    expect(await check(signer.sign(realm.claims()))).toMatchObject({ ...known, issuer });
    expect(await check(signer.sign(realm.claims({ sub: 'bob' })))).toMatchObject({ id: 'bob' });
    expect(asked).toEqual(['/.well-known/oauth-authorization-server', '/keys']);
  });

  it('finds them through OpenID Connect Discovery if there is no other metadata', async () => {
    const metadata = answers.get('/.well-known/oauth-authorization-server');
    answers.delete('/.well-known/oauth-authorization-server');
    answers.set('/.well-known/openid-configuration', metadata as Answer);
    expect(await check(signer.sign(realm.claims()))).toMatchObject(known);
  });

  it('fetches them from the option jwksUri', async () => {
    answers.delete('/.well-known/oauth-authorization-server');
    const verdicts = jwtVerifier({ issuers: [{ issuer, jwksUri: `${issuer}/keys` }] });
    expect(await check(signer.sign(realm.claims()), verdicts)).toMatchObject(known);
    expect(asked).toEqual(['/keys']);
  });

  it('uses a new key after the pause between two fetches', async () => {
    await check(signer.sign(realm.claims()));
    answers.set('/keys', json({ keys: [rotated.jwk] }));
    const token = await rotated.sign(realm.claims());
    expect(await check(token)).toHaveProperty('rejected');
    realm.clock.stall(30_000);
    expect(await check(token)).toMatchObject(known);
    expect(await check(signer.sign(realm.claims({ sub: 'bob' })))).toHaveProperty('rejected');
    expect(asked).toEqual(['/.well-known/oauth-authorization-server', '/keys', '/keys']);
  });

  it('does not fetch them for a token that cannot be valid', async () => {
    for (const changed of [{ iss: 'https://evil.example' }, { aud: 'https://other.example' }, { exp: 1 }]) {
      expect(await check(signer.sign(realm.claims(changed)))).toHaveProperty('rejected');
    }
    expect(await check('a.b.c')).toHaveProperty('rejected');
    expect(asked).toEqual([]);
  });

  it('limits the fetches for unknown keys', async () => {
    await check(signer.sign(realm.claims()));
    const tokens = await Promise.all(
      Array.from({ length: 1_000 }, (_, number) => signer.sign(realm.claims(), { kid: `unknown-${number}` })),
    );
    realm.clock.stall(30_000);
    const verdicts = await Promise.all(tokens.map((token) => check(token)));
    expect(verdicts.every((one) => one !== undefined && 'rejected' in one)).toBe(true);
    expect(asked.filter((path) => path === '/keys')).toHaveLength(2);
  });
});

describe('jwtVerifier without usable keys', () => {
  it.each<[string, Answer]>([
    [
      'metadata of another issuer',
      json({ issuer: 'https://evil.example', jwks_uri: 'https://evil.example/keys' }),
    ],
    [
      'metadata with a trailing slash in the issuer',
      (request, response) => json({ issuer: `${issuer}/`, jwks_uri: `${issuer}/keys` })(request, response),
    ],
    ['metadata without keys', (request, response) => json({ issuer })(request, response)],
    ['no metadata', (_request, response) => void response.writeHead(404).end()],
  ])('rejects without a verdict on the token for %s', async (_what, metadata) => {
    answers.set('/.well-known/oauth-authorization-server', metadata);
    await expect(check(signer.sign(realm.claims()))).rejects.toMatchObject(unreachable);
    expect(asked).not.toContain('/keys');
  });

  it.each<[string, Answer]>([
    [
      '10 MB of keys',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.on('error', () => {});
        response.end(`{"keys":[${'{"kty":"RSA"},'.repeat(750_000)}{}]}`);
      },
    ],
    ['more keys than an issuer has', json({ keys: Array(101).fill(signer.jwk) })],
    ['a page', (_request, response) => void response.writeHead(200).end('<html></html>')],
    ['an error', (_request, response) => void response.writeHead(503).end()],
    ['a broken connection', (request) => void request.socket.destroy()],
    [
      'a redirect to a private network',
      (_request, response) => void response.writeHead(302, { location: 'https://10.0.0.1/keys' }).end(),
    ],
  ])('rejects without a verdict on the token for %s', async (_what, keys) => {
    answers.set('/keys', keys);
    await expect(check(signer.sign(realm.claims()))).rejects.toMatchObject(unreachable);
  });

  it('rejects after the time limit', async () => {
    const asking = new Promise<void>((resolve) => {
      answers.set('/keys', () => resolve());
    });
    const verdicts = [check(signer.sign(realm.claims())), check(signer.sign(realm.claims({ sub: 'bob' })))];
    const outcome = Promise.allSettled(verdicts);
    let isOver = false;
    void outcome.then(() => {
      isOver = true;
    });
    await asking;
    // The server may receive the request before the client starts its timer.
    while (!isOver) {
      await realm.clock.advance(10_000);
      await settled();
    }
    expect((await outcome).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(verdicts[0]).rejects.toMatchObject(unreachable);
    expect(asked.filter((path) => path === '/keys')).toHaveLength(1);
  });

  it('accepts tokens again once the keys can be fetched', async () => {
    answers.set('/keys', (request) => void request.socket.destroy());
    const token = await signer.sign(realm.claims());
    await expect(check(token)).rejects.toMatchObject(unreachable);
    answers.set('/keys', json({ keys: [signer.jwk] }));
    realm.clock.stall(1_000);
    expect(await check(token)).toMatchObject(known);
  });
});

it('sends all requests with the option http', async () => {
  const addresses: string[] = [];
  const options: JwtVerifierOptions = {
    http: {
      send: async ({ url }) => {
        addresses.push(url.href);
        return { status: 404, mediaType: '', header: () => undefined, text: '' };
      },
    },
  };
  await expect(check(signer.sign(realm.claims()), jwtVerifier(options))).rejects.toMatchObject(unreachable);
  expect(addresses[0]).toBe(`${issuer}/.well-known/oauth-authorization-server`);
  expect(asked).toEqual([]);
});
