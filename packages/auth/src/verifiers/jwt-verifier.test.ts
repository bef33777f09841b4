import { exportJWK } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { ScriptedHttp } from '../../test/http/scripted-http.js';
import { createSigner, forged, signWith } from '../../test/server/signer.js';
import {
  anyRequest,
  type TestRealm,
  testIssuer,
  testRealm,
  testResource,
} from '../../test/server/token-realm.js';
import { jwtVerifier } from './jwt-verifier.js';
import type { JwtVerifierOptions } from './jwt-verifier-options.js';
import type { Rejected, Verified } from './verify.js';

const signer = await createSigner();
const stranger = await createSigner();
const rsa = await createSigner('rsa', 'RS256');
const jwks = { keys: [signer.jwk, rsa.jwk] };

let realm: TestRealm;

beforeEach(() => {
  realm = testRealm();
});

type Check = (token: string | Promise<string>) => Promise<Verified | Rejected | undefined>;

function verifier(options: JwtVerifierOptions = {}): Check {
  const verify = jwtVerifier({ issuers: [{ issuer: testIssuer, jwks }], ...options });
  return async (token) => verify(await token, anyRequest, realm);
}

function refusal(why: string): Rejected {
  return { rejected: expect.stringContaining(why) as string };
}

describe('jwtVerifier with a valid token', () => {
  it('returns caller, client, scopes and expiry', async () => {
    expect(await verifier()(signer.sign(realm.claims()))).toEqual({
      id: 'alice',
      issuer: testIssuer,
      clientId: 'app',
      scopes: ['read', 'write'],
      expiresAt: realm.clock.now() + 600_000 + 30_000,
      claims: realm.claims(),
    });
  });

  it.each([['at+jwt'], ['AT+JWT'], ['application/at+jwt'], ['JWT'], [undefined]])(
    'accepts the type %s',
    async (typ) => {
      expect(await verifier()(signer.sign(realm.claims(), { typ }))).toMatchObject({ id: 'alice' });
    },
  );

  it.each(['RS256', 'RS512', 'PS256', 'PS384', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'])(
    'accepts a signature with %s',
    async (alg) => {
      const own = await createSigner('own', alg);
      const check = verifier({ issuers: [{ issuer: testIssuer, jwks: { keys: [own.jwk] } }] });
      expect(await check(own.sign(realm.claims()))).toMatchObject({ id: 'alice' });
    },
  );

  it.each(['https://mcp.example', 'https://mcp.example/'])(
    'accepts the audience of the origin %s with and without a trailing slash',
    async (resource) => {
      const whole: TestRealm = { ...realm, resource };
      const verify = jwtVerifier({ issuers: [{ issuer: testIssuer, jwks }] });
      const verdictFor = async (aud: string) =>
        verify(await signer.sign(realm.claims({ aud })), anyRequest, whole);
      expect(await verdictFor('https://mcp.example')).toMatchObject({ id: 'alice' });
      expect(await verdictFor('https://mcp.example/')).toMatchObject({ id: 'alice' });
      expect(await verdictFor('https://mcp.example/mcp')).toEqual(refusal('another server'));
    },
  );

  it('accepts any of the audiences, and returns the bound key', async () => {
    const check = verifier({ audience: ['https://old.example', 'urn:mcp'] });
    const claims = realm.claims({ aud: ['urn:mcp', 'x'], cnf: { jkt: 'thumb' } });
    expect(await check(signer.sign(claims))).toMatchObject({ boundKey: 'thumb' });
    expect(await check(signer.sign(realm.claims()))).toEqual(refusal('another server'));
  });

  it('accepts a token without kid if one key fits', async () => {
    expect(await verifier()(signer.sign(realm.claims(), { kid: undefined }))).toMatchObject({ id: 'alice' });
  });

  it('tries a few keys for a token without kid', async () => {
    const keys = [stranger.jwk, signer.jwk].map(({ kid: _, ...key }) => key);
    const check = verifier({ issuers: [{ issuer: testIssuer, jwks: { keys } }] });
    expect(await check(signer.sign(realm.claims(), { kid: undefined }))).toMatchObject({ id: 'alice' });
  });
});

describe('jwtVerifier with an invalid token', () => {
  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['for another audience', { aud: 'https://other.example/mcp' }, 'another server'],
    ['for an audience that begins with the resource', { aud: `${testResource}/more` }, 'another server'],
    ['for a prefix of the resource', { aud: 'https://mcp.example' }, 'another server'],
    ['without an audience', { aud: undefined }, 'no audience (aud)'],
    ['of an issuer with a trailing slash', { iss: `${testIssuer}/` }, 'not issued by'],
    ['of an issuer in upper case', { iss: 'https://AUTH.example' }, 'not issued by'],
    ['of an issuer with its port', { iss: `${testIssuer}:443` }, 'not issued by'],
    ['of what every object has', { iss: '__proto__' }, 'not issued by'],
    ['without an issuer', { iss: undefined }, 'not issued by'],
    ['that has expired', { exp: 1_799_999_970 }, 'has expired'],
    ['without an expiry', { exp: undefined }, 'no expiry (exp)'],
    ['that is not valid yet', { nbf: 1_800_000_031 }, 'not valid yet'],
    ['from the far future', { iat: 1_800_000_031 }, 'not valid yet'],
    ['without a caller', { sub: undefined, client_id: undefined }, 'does not identify its caller'],
    ['bound to a certificate', { cnf: { 'x5t#S256': 'thumb' } }, 'cannot check'],
  ])('rejects a token %s', async (_what, changed, why) => {
    expect(await verifier()(signer.sign(realm.claims(changed)))).toEqual(refusal(why));
  });

  it.each([
    'none',
    'None',
    'NONE',
    'nOnE',
    ' none',
    '',
    'HS256',
    'hs256',
    'dir',
    'A256KW',
    '__proto__',
    'es256',
  ])('rejects the algorithm %j', async (alg) => {
    const check = verifier();
    const header = { alg, kid: 'key-1', typ: 'at+jwt' };
    expect(await check(forged(header, realm.claims()))).toEqual(refusal('not signed with'));
    const [, , signature] = (await signer.sign(realm.claims())).split('.');
    expect(await check(forged(header, realm.claims(), signature))).toEqual(refusal('not signed with'));
  });

  it.each([undefined, null, 256, ['ES256'], { alg: 'ES256' }])('rejects the algorithm %j', async (alg) => {
    expect(await verifier()(forged({ alg, kid: 'key-1' }, realm.claims(), 'AAAA'))).toHaveProperty(
      'rejected',
    );
  });

  it('rejects an HMAC with a public key as secret', async () => {
    const header = { alg: 'HS256', kid: 'rsa', typ: 'at+jwt' };
    const { n = '' } = rsa.jwk;
    for (const secret of [JSON.stringify(rsa.jwk), n, JSON.stringify(await exportJWK(rsa.privateKey))]) {
      const token = await signWith(new TextEncoder().encode(secret), realm.claims(), header);
      expect(await verifier()(token)).toEqual(refusal('not signed with'));
    }
  });

  it.each(['RS256', 'PS256', 'ES384', 'EdDSA'])(
    'rejects the algorithm %s with the signature of another key',
    async (alg) => {
      const [, claims, signature] = (await signer.sign(realm.claims())).split('.');
      const [header] = forged({ alg, kid: 'key-1', typ: 'at+jwt' }, {}).split('.');
      expect(await verifier()(`${header}.${claims}.${signature}`)).toEqual(refusal('key of its issuer'));
    },
  );

  it.each<[string, () => Promise<string>]>([
    ['another key under the same kid', () => stranger.sign(realm.claims())],
    ['an unknown kid', () => signer.sign(realm.claims(), { kid: 'other' })],
    ['a path as kid', () => signer.sign(realm.claims(), { kid: '../../../dev/null' })],
    ['a member of every object as kid', () => signer.sign(realm.claims(), { kid: '__proto__' })],
    ['SQL as kid', () => signer.sign(realm.claims(), { kid: "' OR 1=1 --" })],
  ])('rejects a signature with %s', async (_what, make) => {
    expect(await verifier()(make())).toEqual(refusal('key of its issuer'));
  });

  it.each([['x'.repeat(257)], [''], [7], [['key-1']], [{}]])('rejects the kid %.20j', async (kid) => {
    expect(await verifier()(forged({ alg: 'ES256', kid }, realm.claims(), 'AAAA'))).toEqual(
      refusal('kid of the token is malformed'),
    );
  });

  it('ignores keys in the header, and URLs of keys', async () => {
    const http = new ScriptedHttp();
    const check = verifier({ http });
    const jku = 'https://evil.example/jwks';
    for (const header of [{ jwk: stranger.jwk }, { jku }, { x5u: jku }, { x5c: ['AAAA'] }]) {
      expect(await check(stranger.sign(realm.claims(), header))).toEqual(refusal('key of its issuer'));
    }
    expect(http.requests).toEqual([]);
  });

  it('rejects claims that were changed after signing', async () => {
    const [header, , signature] = (await signer.sign(realm.claims())).split('.');
    const [, claims] = forged({}, realm.claims({ sub: 'bob' })).split('.');
    expect(await verifier()(`${header}.${claims}.${signature}`)).toEqual(refusal('key of its issuer'));
  });

  it.each<[string, object]>([
    ['that is known', { crit: ['b64'], b64: true }],
    ['with an unencoded payload', { crit: ['b64'], b64: false }],
    ['that is not known', { crit: ['exp'], exp: 1 }],
    ['that is not a list', { crit: 'b64' }],
  ])('rejects a critical header %s', async (_what, header) => {
    const token = forged({ alg: 'ES256', kid: 'key-1', typ: 'at+jwt', ...header }, realm.claims(), 'AAAA');
    expect(await verifier()(token)).toEqual(refusal('critical header'));
  });

  it.each([
    ['an empty text', ''],
    ['one part', 'opaque'],
    ['two parts', 'a.b'],
    ['three parts that are not JSON', 'a.b.c'],
    ['an encrypted token', 'a.b.c.d.e'],
    ['a header that is an array', forged([], {})],
    ['claims that are an array', forged({ alg: 'ES256' }, [])],
    ['claims that are a string', forged({ alg: 'ES256' }, 'alice')],
    ['brackets', `${'['.repeat(8_000)}.x.y`],
  ])('rejects %s', async (_what, token) => {
    expect(await verifier()(token)).toEqual(refusal('not a signed JWT'));
  });

  it('rejects an RSA key that is too short', async () => {
    const short = await crypto.subtle.generateKey(
      {
        name: 'RSASSA-PKCS1-v1_5',
        modulusLength: 1_024,
        publicExponent: new Uint8Array([1, 0, 1]),
        hash: 'SHA-256',
      },
      true,
      ['sign', 'verify'],
    );
    const jwk = { ...(await exportJWK(short.publicKey)), kid: 'short', alg: 'RS256' };
    const data = forged({ alg: 'RS256', kid: 'short', typ: 'at+jwt' }, realm.claims()).slice(0, -1);
    const bytes = await crypto.subtle.sign(
      'RSASSA-PKCS1-v1_5',
      short.privateKey,
      new TextEncoder().encode(data),
    );
    const check = verifier({ issuers: [{ issuer: testIssuer, jwks: { keys: [jwk] } }] });
    expect(await check(`${data}.${Buffer.from(bytes).toString('base64url')}`)).toEqual(
      refusal('key of its issuer'),
    );
  });

  it('quotes no part of a token', async () => {
    const secret = 'SECRET-OF-A-TOKEN';
    for (const changed of [{ iss: secret }, { aud: secret }, { exp: secret }, { sub: { secret } }]) {
      expect(JSON.stringify(await verifier()(signer.sign(realm.claims(changed))))).not.toContain(secret);
    }
  });
});

describe('jwtVerifier with a token of another type', () => {
  it.each([
    'id_token+jwt',
    'logout+jwt',
    'oauth-id-jag+jwt',
    'dpop+jwt',
    'secevent+jwt',
    'client-authentication+jwt',
    'JOSE',
    '',
  ])('rejects the type %j', async (typ) => {
    expect(await verifier()(signer.sign(realm.claims(), { typ }))).toEqual(refusal('The type of the token'));
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['an ID token', { nonce: 'n-0S6_WzA2Mj' }],
    ['an ID token with a hash', { at_hash: 'MTIzNDU2' }],
    ['a logout token', { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }],
    ['an ID token of Cognito', { token_use: 'id' }],
    ['an ID token of Keycloak', { typ: 'ID' }],
    ['a refresh token', { typ: 'Refresh' }],
  ])('rejects %s by its claims', async (_what, claims) => {
    const check = verifier();
    for (const typ of ['JWT', undefined]) {
      expect(await check(signer.sign(realm.claims(claims), { typ }))).toEqual(refusal('not an access token'));
    }
    expect(
      await check(signer.sign(realm.claims({ token_use: 'access', typ: 'Bearer' }), { typ: 'JWT' })),
    ).toMatchObject({ id: 'alice' });
  });

  it('rejects the type JWT if it is not in the options', async () => {
    const check = verifier({ typ: ['at+jwt'] });
    for (const typ of ['JWT', undefined]) {
      expect(await check(signer.sign(realm.claims(), { typ }))).toEqual(refusal('is not at+jwt'));
    }
    expect(await check(signer.sign(realm.claims()))).toMatchObject({ id: 'alice' });
  });
});

describe('jwtVerifier with several issuers', () => {
  const other = 'https://other.example';

  it('accepts a key only for its own issuer', async () => {
    const check = verifier({
      issuers: [
        { issuer: testIssuer, jwks: { keys: [signer.jwk] } },
        { issuer: other, jwks: { keys: [stranger.jwk] } },
      ],
    });
    expect(await check(signer.sign(realm.claims()))).toMatchObject({ issuer: testIssuer });
    expect(await check(stranger.sign(realm.claims({ iss: other })))).toMatchObject({ issuer: other });
    expect(await check(stranger.sign(realm.claims()))).toEqual(refusal('key of its issuer'));
    expect(await check(signer.sign(realm.claims({ iss: other })))).toEqual(refusal('key of its issuer'));
  });
});

describe('jwtVerifier cache', () => {
  it('keeps a valid token for a minute, at most until it expires', async () => {
    const check = verifier({ issuers: [{ issuer: testIssuer, jwks }] });
    const token = await signer.sign(realm.claims({ exp: realm.seconds + 10 }));
    const first = await check(token);
    expect(await check(token)).toBe(first);
    realm.clock.stall(39_999);
    expect(await check(token)).toBe(first);
    realm.clock.stall(1);
    expect(await check(token)).toEqual(refusal('has expired'));
  });

  it('returns a cached result without a promise', async () => {
    const verify = jwtVerifier({ issuers: [{ issuer: testIssuer, jwks }] });
    const token = await signer.sign(realm.claims());
    const first = await verify(token, anyRequest, realm);
    expect(verify(token, anyRequest, realm)).toBe(first);
  });

  it('checks the token again after a minute', async () => {
    const check = verifier();
    const token = await signer.sign(realm.claims());
    const first = await check(token);
    realm.clock.stall(60_000);
    const second = await check(token);
    expect(second).toEqual(first);
    expect(second).not.toBe(first);
  });

  it('does not accept a token that differs in one character', async () => {
    const check = verifier();
    const token = await signer.sign(realm.claims());
    await check(token);
    const [header, claims, signature = ''] = token.split('.');
    const changed = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
    expect(await check(`${header}.${claims}.${changed}`)).toEqual(refusal('key of its issuer'));
  });

  it('keeps results for each resource', async () => {
    const verify = jwtVerifier({ issuers: [{ issuer: testIssuer, jwks }] });
    const token = await signer.sign(realm.claims());
    expect(await verify(token, anyRequest, realm)).toMatchObject({ id: 'alice' });
    const elsewhere = { ...realm, resource: 'https://other.example/mcp' };
    expect(await verify(token, anyRequest, elsewhere)).toEqual(refusal('another server'));
  });
});

it('rejects invalid options', () => {
  const issuer = testIssuer;
  const cases: readonly [object, string][] = [
    [{ algorithms: ['none'] }, 'algorithms must be one or more of'],
    [{ algorithms: ['HS256'] }, 'algorithms must be one or more of'],
    [{ algorithms: [] }, 'algorithms must be one or more of'],
    [{ audience: [] }, 'a list of at least one'],
    [{ audience: '' }, 'a string, or a list'],
    [{ issuers: [] }, 'a list of at least one issuer'],
    [{ issuers: ['http://auth.example'] }, 'issuer must be the https address'],
    [{ issuers: ['https://auth.example?tenant=a'] }, 'issuer must be the https address'],
    [{ issuers: [{ issuer, jwksUri: 'http://auth.example/jwks' }] }, 'jwksUri must be an https address'],
    [
      { issuers: [{ issuer, jwks, jwksUri: 'https://auth.example/jwks' }] },
      'either jwks or jwksUri for an issuer, not both',
    ],
    [{ issuers: [{ issuer, jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } }] }, 'no usable public key'],
    [{ issuers: [{ issuer, keys: [] }] }, 'no option "keys"'],
    [{ clockTolerance: 3_600_000 }, 'from 0 to 300,000'],
    [{ clockTolerance: Number.NaN }, 'from 0 to 300,000'],
    [{ typ: [] }, 'a list of at least one'],
    [{ keyMaxAge: 0 }, 'a positive number'],
    [{ audiance: 'x' }, 'no option "audiance"'],
  ];
  for (const [options, why] of cases) expect(() => jwtVerifier(options), why).toThrow(why);
});
