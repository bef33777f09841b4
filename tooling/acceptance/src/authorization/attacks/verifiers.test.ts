import type { ServerResponse } from 'node:http';
import { introspectionVerifier, jwtVerifier } from '@tenon/mcp-auth/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { counted } from '../../hostile-server/counted.js';
import { fakeTime } from './fake-time.js';
import { encoded, OwnKey } from './own-key.js';
import { ProtectedPlace } from './protected-place.js';
import { type Knock, knock, knocks } from './raw-requests.js';
import { printed, Secrets } from './secrets.js';
import { sendJson, Web } from './web.js';

const [post] = knocks as readonly [Knock];
const clientSecret = 'the-secret-of-the-server';
const hour = 3_600_000;

let issuer: Web;
let thief: Web;
let key: OwnKey;
let place: ProtectedPlace;
const clock = () => fakeTime();
let time: ReturnType<typeof clock>;

beforeEach(async () => {
  time = clock();
  [issuer, thief, key] = await Promise.all([Web.open(), Web.open(), OwnKey.create()]);
});
afterEach(async () => {
  await place.close();
  expect(thief.heard).toEqual([]);
  issuer.close();
  thief.close();
});

async function open(verifier: 'jwt' | 'introspection'): Promise<void> {
  const client = { clientId: 'server', clientSecret };
  place = await ProtectedPlace.open({
    clock: time,
    issuers: [issuer.origin],
    protect: {
      verify:
        verifier === 'jwt'
          ? jwtVerifier()
          : introspectionVerifier({ endpoint: `${issuer.origin}/introspect`, client }),
    },
  });
}

const claims = (): object => ({
  iss: issuer.origin,
  aud: place.resource,
  sub: 'ada',
  exp: Math.floor((time.now() + hour) / 1_000),
});
const token = (header: object = {}) =>
  key.sign({ alg: 'ES256', typ: 'at+jwt', kid: 'k', ...header }, claims());
const statusFor = async (shown: string) =>
  (await knock(place, post.text(place, { authorization: `Bearer ${shown}` }))).status;

/** Serves keys, and the metadata that names them. */
function keys(writes: (response: ServerResponse) => unknown, metadata: object = {}): void {
  issuer.answer = ({ url }, response) => {
    if (url === '/jwks') writes(response);
    else if (url.startsWith('/.well-known')) {
      sendJson(response, { issuer: issuer.origin, jwks_uri: `${issuer.origin}/jwks`, ...metadata });
    } else response.writeHead(404).end();
  };
}
const own = (more: object = {}) => ({ ...key.jwk, kid: 'k', ...more });
const served = (count = 1) => issuer.heard.filter(({ url }) => url === '/jwks').length === count;

interface Row {
  readonly name: string;
  readonly writes: (response: ServerResponse) => unknown;
  /** 401 if the token is certainly invalid, 503 if it cannot be checked. */
  readonly gets: 200 | 401 | 503;
}

const json = (name: string, body: () => unknown, gets: Row['gets'] = 503): Row => ({
  name,
  writes: (response) => sendJson(response, body()),
  gets,
});
const text = (name: string, body: string, gets: Row['gets'] = 503): Row => ({
  name,
  writes: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
  gets,
});
const answer = (name: string, status: number, headers: () => Record<string, string> = () => ({})): Row => ({
  name,
  writes: (response) => response.writeHead(status, headers()).end(),
  gets: 503,
});

const broken: readonly Row[] = [
  text('nothing', ''),
  text('what is no JSON', '{'),
  text('a list', '[]'),
  text('null', 'null'),
  text('10 MB', `{"keys":[],"x":"${'x'.repeat(10 << 20)}"}`),
  text('a hundred thousand levels', '['.repeat(100_000) + ']'.repeat(100_000)),
  answer('a failure', 500),
  answer('that it is not there', 404),
  answer('a way to itself', 302, () => ({ location: '/introspect' })),
  answer('a way to a service of the cloud', 307, () => ({ location: 'http://169.254.169.254/' })),
  answer('a way to a script', 302, () => ({ location: 'javascript:alert(1)' })),
  { name: 'a connection that breaks', writes: (response) => response.socket?.destroy(), gets: 503 },
];

const sets: readonly Row[] = [
  json('the right key', () => ({ keys: [own()] }), 200),
  json('the right key among those nobody can use', () => ({ keys: [null, 7, { kty: 'x' }, own()] }), 200),
  json('no keys', () => ({ keys: [] }), 401),
  json('a hundred and one keys', () => ({ keys: Array(101).fill(own()) })),
  json('keys that are an object', () => ({ keys: { 0: own() } })),
  json('keys that are no keys', () => ({ keys: [null, 7, 'x', []] }), 401),
  json('the right key for something else', () => ({ keys: [own({ use: 'enc' })] }), 401),
  json('the right key for another algorithm', () => ({ keys: [own({ alg: 'ES384' })] }), 401),
  json('the right key under another name', () => ({ keys: [own({ kid: 'other' })] }), 401),
  json('a point that is on no curve', () => ({ keys: [own({ x: 'AAAA' })] }), 401),
  json('a member of objects for a name', () => ({ keys: [own({ kid: '__proto__' })] }), 401),
];

let cases = broken.length + sets.length;
const cheat = (name: string, body: () => Promise<void>) => {
  cases++;
  it(name, body);
};

describe('an issuer that returns', () => {
  it.each([...broken, ...sets].map((row) => [row.name, row] as const))(
    '%s for its keys',
    async (_name, row) => {
      await open('jwt');
      keys(row.writes);
      expect(await statusFor(await token())).toBe(row.gets);
    },
  );
});

describe('an issuer', () => {
  cheat('with a secret among its keys: no token signed with it is accepted', async () => {
    await open('jwt');
    const k = Buffer.from('a secret that everybody knows by now').toString('base64url');
    keys((response) => sendJson(response, { keys: [{ kty: 'oct', k, kid: 'k', alg: 'HS256' }] }));
    const input = `${encoded({ alg: 'HS256', typ: 'at+jwt', kid: 'k' })}.${encoded(claims())}`;
    const hmac = await crypto.subtle.importKey(
      'raw',
      Buffer.from(k, 'base64url'),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['sign'],
    );
    const signature = Buffer.from(await crypto.subtle.sign('HMAC', hmac, Buffer.from(input))).toString(
      'base64url',
    );
    expect(await statusFor(`${input}.${signature}`)).toBe(401);
  });

  cheat('with a private key among its keys: the key is not used', async () => {
    await open('jwt');
    const jwk = await key.secret();
    keys((response) => sendJson(response, { keys: [{ ...jwk, kid: 'k', key_ops: undefined }] }));
    expect(await statusFor(await token())).toBe(401);
  });

  cheat('with a short key: the key is not used', async () => {
    await open('jwt');
    const algorithm = {
      name: 'RSASSA-PKCS1-v1_5',
      hash: 'SHA-256',
      modulusLength: 1_024,
      publicExponent: new Uint8Array([1, 0, 1]),
    };
    const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const jwk = await crypto.subtle.exportKey('jwk', publicKey);
    keys((response) => sendJson(response, { keys: [{ kty: 'RSA', n: jwk.n, e: jwk.e, kid: 'k' }] }));
    const input = `${encoded({ alg: 'RS256', typ: 'at+jwt', kid: 'k' })}.${encoded(claims())}`;
    const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', privateKey, Buffer.from(input));
    expect(await statusFor(`${input}.${Buffer.from(signature).toString('base64url')}`)).toBe(401);
  });

  for (const jwksUri of [
    'http://10.0.0.7/jwks',
    'https://169.254.169.254/jwks',
    'javascript:alert(1)',
    'file:///etc/passwd',
  ]) {
    cheat(`has nobody led to ${jwksUri}`, async () => {
      await open('jwt');
      keys((response) => sendJson(response, { keys: [own()] }), { jwks_uri: jwksUri });
      expect(await statusFor(await token())).toBe(503);
    });
  }

  cheat('that never answers has nobody wait for ever, and nobody let in', async () => {
    await open('jwt');
    let stuck = () => {};
    const isStuck = new Promise<void>((resolve) => {
      stuck = resolve;
    });
    keys(() => stuck());
    const status = statusFor(await token());
    await isStuck;
    await time.advance(15_000);
    expect(await status).toBe(503);
  });

  cheat('is asked twice for its keys, whatever two hundred tokens call theirs', async () => {
    await open('jwt');
    keys((response) => sendJson(response, { keys: [own()] }));
    const tokens = await Promise.all(Array.from({ length: 200 }, (_, n) => token({ kid: `k${n}` })));
    const statuses = await Promise.all(tokens.map(statusFor));
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(issuer.heard.filter(({ url }) => url === '/jwks').length).toBeLessThanOrEqual(2);
    expect(await statusFor(await token())).toBe(200);
  });

  cheat('is asked once for its keys by fifty who come first', async () => {
    await open('jwt');
    keys((response) => sendJson(response, { keys: [own()] }));
    const good = await token();
    const statuses = await Promise.all(Array.from({ length: 50 }, () => statusFor(good)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(served()).toBe(true);
  });

  cheat('that has lost a key has its tokens refused from then on', async () => {
    await open('jwt');
    keys((response) => sendJson(response, { keys: [own()] }));
    const stolen = await token();
    expect(await statusFor(stolen)).toBe(200);
    keys((response) => sendJson(response, { keys: [own({ kid: 'new' })] }));
    await time.advance(600_000);
    expect(await statusFor(stolen)).toBe(401);
  });
});

const good = (): object => ({ active: true, ...claims() });
const said = (name: string, changes: () => object, gets: Row['gets'] = 401): Row =>
  json(name, () => ({ ...good(), ...changes() }), gets);
const seconds = (ms: number) => Math.floor((time.now() + ms) / 1_000);

const introspections: readonly Row[] = [
  said('that it is good', () => ({}), 200),
  said('that it is not active', () => ({ active: false })),
  said('in a text that it is active', () => ({ active: 'true' }), 503),
  said('in a number that it is active', () => ({ active: 1 }), 503),
  said('nothing of whether it is active', () => ({ active: undefined }), 503),
  said('that it is for another server', () => ({ aud: 'https://other.example' })),
  said('nothing of whom it is for', () => ({ aud: undefined })),
  said('that it is of another issuer', () => ({ iss: 'https://other.example' })),
  said('that it has expired', () => ({ exp: seconds(-hour) })),
  said('that it is not valid yet', () => ({ nbf: seconds(hour) })),
  said('in a text when it expires', () => ({ exp: String(seconds(hour)) })),
  said('nothing of who is calling', () => ({ sub: undefined })),
  said('that it is bound to a certificate', () => ({ cnf: { 'x5t#S256': 'A'.repeat(43) } })),
  said('that it is a refresh token', () => ({ token_use: 'refresh_token' })),
];

describe('an introspection response', () => {
  cases += broken.length + introspections.length;
  it.each([...broken, ...introspections].map((row) => [row.name, row] as const))('%s', async (_name, row) => {
    await open('introspection');
    issuer.answer = (_, response) => row.writes(response);
    expect(await statusFor('an-opaque-token-of-somebody')).toBe(row.gets);
  });
});

describe('an introspection endpoint', () => {
  for (const status of [301, 302, 307, 308]) {
    cheat(`that redirects with ${status} has the token and the secret sent nowhere`, async () => {
      await open('introspection');
      issuer.answer = (_, response) =>
        response.writeHead(status, { location: `${thief.origin}/introspect` }).end();
      expect(await statusFor('an-opaque-token-of-somebody')).toBe(503);
    });
  }

  for (const status of [400, 401, 500]) {
    cheat(`that repeats the request with ${status}: the text is not reported`, async () => {
      await open('introspection');
      issuer.answer = ({ body, headers }, response) => {
        const basic = Buffer.from(headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString();
        const error_description = `${body} ${headers.authorization} ${basic}`;
        sendJson(response, { error: 'invalid_client', error_description }, status);
      };
      const secrets = new Secrets();
      secrets.add('the token', 'an-opaque-token-of-somebody');
      secrets.add('the secret', clientSecret);
      secrets.add('the secret, encoded', Buffer.from(`server:${clientSecret}`).toString('base64'));
      const response = await knock(
        place,
        post.text(place, { authorization: 'Bearer an-opaque-token-of-somebody' }),
      );
      expect(response.status).toBe(503);
      const { errors } = place.notes;
      expect(printed(errors)).toContain('AuthError');
      secrets.expectNone({ errors, refused: place.refused, response });
    });
  }

  cheat('that never answers has nobody wait for ever, and nobody let in', async () => {
    await open('introspection');
    let stuck = () => {};
    const isStuck = new Promise<void>((resolve) => {
      stuck = resolve;
    });
    issuer.answer = () => stuck();
    const status = statusFor('an-opaque-token-of-somebody');
    await isStuck;
    await time.advance(15_000);
    expect(await status).toBe(503);
  });

  cheat('is asked once by two hundred who show the same', async () => {
    await open('introspection');
    issuer.answer = (_, response) => sendJson(response, good());
    const shown = 'an-opaque-token-of-somebody';
    const statuses = await Promise.all(Array.from({ length: 200 }, () => statusFor(shown)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(issuer.heard).toHaveLength(1);
  });

  cheat('is asked sixteen things at once, however many are shown', async () => {
    await open('introspection');
    let most = 0;
    let now = 0;
    const waiting: (() => void)[] = [];
    issuer.answer = (_, response) => {
      most = Math.max(most, ++now);
      waiting.push(() => {
        now--;
        sendJson(response, { active: false });
      });
      // Waiting requests are answered after the others ended.
      if (waiting.length === 16) for (const go of waiting.splice(0)) setImmediate(go);
    };
    const statuses = await Promise.all(
      Array.from({ length: 160 }, (_, n) => statusFor(`an-opaque-token-${n}`)),
    );
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(most).toBe(16);
  });
});
counted('issuers that are broken, or worse', () => cases);
