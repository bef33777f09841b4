import { randomUUID } from 'node:crypto';
import { dpopCheck, type ResourceGuardOptions } from '@tenon/mcp-auth/server';
import { SharedMemory } from '@tenon/mcp-state/internal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { counted } from '../../hostile-server/counted.js';
import type { RawHeaders, RawResponse } from '../../hostile-server/raw-http.js';
import { encoded, hashed, OwnKey } from './own-key.js';
import type { ProtectedPlace } from './protected-place.js';
import { expectRefused, type Knock, knock, knocks } from './raw-requests.js';
import { TwoIssuers } from './two-issuers.js';

const [post, open] = knocks as readonly [Knock, Knock];

let town: TwoIssuers;
let place: ProtectedPlace;
let key: OwnKey;
let token: string;

beforeEach(async () => {
  town = await TwoIssuers.open();
  place = await town.place({ dpop: dpopCheck() });
  key = await OwnKey.create();
  token = await bound(key);
});
afterEach(() => town.close());

/** A token bound to a key. */
function bound(to: OwnKey, subject = 'ada'): Promise<string> {
  return town.token(place, { subject, claims: { cnf: { jkt: to.thumbprint } } });
}

/** The claims of a valid proof for a POST. */
const claims = (): Record<string, unknown> => ({
  jti: randomUUID(),
  htm: 'POST',
  htu: place.url,
  iat: Math.floor(town.clock.now() / 1_000),
  ath: hashed(token),
});
const header = (): Record<string, unknown> => ({ typ: 'dpop+jwt', alg: 'ES256', jwk: key.jwk });
const proof = (said: object = {}, headed: object = {}, by: OwnKey = key) =>
  by.sign({ ...header(), ...headed }, { ...claims(), ...said });

/** Sends a proof with the token. Returns the response. */
function show(
  value: string | readonly string[] | undefined,
  more: RawHeaders = {},
  at: ProtectedPlace = place,
): Promise<RawResponse> {
  return knock(at, post.text(at, { authorization: `DPoP ${token}`, dpop: value, ...more }));
}

interface Row {
  readonly name: string;
  readonly proof: () =>
    | string
    | readonly string[]
    | undefined
    | Promise<string | readonly string[] | undefined>;
  readonly error?: string;
}

const said = (name: string, write: () => object): Row => ({ name, proof: () => proof(write()) });
const headed = (name: string, write: () => object | Promise<object>): Row => ({
  name,
  proof: async () => proof({}, await write()),
});
const seconds = (ms: number) => Math.floor((town.clock.now() + ms) / 1_000);

const rows: readonly Row[] = [
  { name: 'is missing', proof: () => undefined },
  { name: 'is empty', proof: () => '' },
  { name: 'is a word', proof: () => 'nonsense' },
  { name: 'is the token', proof: () => token },
  { name: 'is there twice', proof: async () => [await proof(), await proof()] },
  { name: 'is there twice, the second one nothing', proof: async () => [await proof(), 'x'] },
  { name: 'is longer than a proof', proof: () => proof({ x: 'x'.repeat(9_000) }) },
  said('is for another method', () => ({ htm: 'GET' })),
  said('is for the method in small letters', () => ({ htm: 'post' })),
  said('is for no method', () => ({ htm: undefined })),
  said('is for any method', () => ({ htm: ['GET', 'POST'] })),
  said('is for another server', () => ({ htu: 'https://other.example/mcp' })),
  said('is for another port', () => ({ htu: 'http://127.0.0.1:1/mcp' })),
  said('is for another scheme', () => ({ htu: place.url.replace('http:', 'https:') })),
  said('is for another path', () => ({ htu: `${place.origin}/sse` })),
  said('is for the origin', () => ({ htu: place.origin })),
  said('is for the path alone', () => ({ htu: '/mcp' })),
  said('is for no address', () => ({ htu: undefined })),
  said('is for a list of addresses', () => ({ htu: [place.url] })),
  said('is for another token', () => ({ ath: hashed('another token') })),
  said('is for no token', () => ({ ath: undefined })),
  said('holds the token itself', () => ({ ath: token })),
  said('has no id', () => ({ jti: undefined })),
  said('has an empty id', () => ({ jti: '' })),
  said('has an id that is a number', () => ({ jti: 7 })),
  said('has an id of 10,000 characters', () => ({ jti: 'x'.repeat(5_000) })),
  said('does not say when it was made', () => ({ iat: undefined })),
  said('says in a text when it was made', () => ({ iat: String(seconds(0)) })),
  said('is two minutes old', () => ({ iat: seconds(-120_000) })),
  said('is made in two minutes', () => ({ iat: seconds(120_000) })),
  said('has expired', () => ({ exp: seconds(-120_000) })),
  said('is not valid yet', () => ({ nbf: seconds(120_000) })),
  headed('is of another type', () => ({ typ: 'JWT' })),
  headed('is of no type', () => ({ typ: undefined })),
  headed('is of the type of tokens', () => ({ typ: 'at+jwt' })),
  headed('says that it is signed by nobody', () => ({ alg: 'none' })),
  headed('says that it is signed with a secret', () => ({ alg: 'HS256' })),
  headed('says that it is signed in another way', () => ({ alg: 'ES384' })),
  headed('holds no key', () => ({ jwk: undefined })),
  headed('holds a secret for a key', () => ({ jwk: { kty: 'oct', k: 'AAAA' } })),
  headed('holds the private key', async () => ({ jwk: await key.secret() })),
  headed('holds another key', async () => ({ jwk: (await OwnKey.create()).jwk })),
  headed('says where its key is', () => ({ jwk: undefined, jku: `${town.thief.origin}/jwks` })),
  headed('has a header that must be understood', () => ({ crit: ['b64'], b64: true })),
  {
    name: 'is signed by nobody',
    proof: () => `${encoded({ ...header(), alg: 'none' })}.${encoded(claims())}.`,
  },
  {
    name: 'is signed by somebody else',
    proof: async () => proof({}, {}, await OwnKey.create()),
  },
  {
    name: 'is of somebody else, with his own key',
    proof: async () => {
      const other = await OwnKey.create();
      return proof({}, { jwk: other.jwk }, other);
    },
  },
  {
    name: 'was changed after it was signed',
    proof: async () => {
      const [head, , signature] = (await proof({ htm: 'GET' })).split('.');
      return `${head}.${encoded(claims())}.${signature}`;
    },
  },
];

let cases = rows.length;
const cheat = (name: string, body: () => Promise<void>) => {
  cases++;
  it(name, body);
};
const invalid = { status: 401, error: 'invalid_dpop_proof' } as const;

describe('a DPoP proof', () => {
  it.each(rows.map((row) => [row.name, row] as const))('%s: is rejected', async (_name, row) => {
    const value = await row.proof();
    const response = await show(value);
    expectRefused(response, place, { ...invalid, secret: String(value) });
    expect(town.thief.heard).toEqual([]);
    expect((await show(await proof())).status).toBe(200);
  });

  cheat('that is used again is refused', async () => {
    const value = await proof();
    expect((await show(value)).status).toBe(200);
    place.notes.ran.length = 0;
    expectRefused(await show(value), place, { ...invalid, secret: value });
  });

  cheat('that is used again for something else is refused', async () => {
    const value = await proof();
    expect((await show(value)).status).toBe(200);
    place.notes.ran.length = 0;
    const again = open.text(place, { authorization: `DPoP ${token}`, dpop: value });
    expectRefused(await knock(place, again), place, invalid);
  });

  cheat('that is used ten times at once is taken once', async () => {
    const value = await proof();
    const all = await Promise.all(Array.from({ length: 10 }, () => show(value)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  cheat('that is used again just before it expires is rejected', async () => {
    const value = await proof({ iat: seconds(30_000) });
    expect((await show(value)).status).toBe(200);
    await town.clock.advance(89_000);
    place.notes.ran.length = 0;
    expectRefused(await show(value), place, invalid);
  });

  cheat('that is used again at another process of the server is refused', async () => {
    const memory = new SharedMemory();
    const [one, two] = [
      await town.place({ dpop: dpopCheck({ state: memory.open() }) }),
      await town.place({ dpop: dpopCheck({ state: memory.open() }) }),
    ];
    const both = await town.honest.issueToken({
      audience: [one.resource, two.resource],
      claims: { cnf: { jkt: key.thumbprint } },
    });
    const jti = randomUUID();
    const at = (there: ProtectedPlace) => proof({ jti, htu: there.url, ath: hashed(both) });
    const authorization = `DPoP ${both}`;
    expect((await show(await at(one), { authorization }, one)).status).toBe(200);
    expectRefused(await show(await at(two), { authorization }, two), two, invalid);
  });
});

describe('a token bound to a key', () => {
  cheat('is worth nothing as Bearer', async () => {
    const response = await show(undefined, { authorization: `Bearer ${token}` });
    expectRefused(response, place, { status: 401, error: 'invalid_token', secret: token });
  });

  cheat('is worth nothing as Bearer, with a proof', async () => {
    const response = await show(await proof(), { authorization: `Bearer ${token}` });
    expectRefused(response, place, { status: 401, error: 'invalid_token', secret: token });
  });

  cheat('is worth nothing where no proofs are taken', async () => {
    const plain = await town.place();
    const own = await town.token(plain, { claims: { cnf: { jkt: key.thumbprint } } });
    for (const scheme of ['Bearer', 'DPoP']) {
      const value = await proof({ htu: plain.url, ath: hashed(own) });
      const response = await show(value, { authorization: `${scheme} ${own}` }, plain);
      expectRefused(response, plain, { status: 401, error: 'invalid_token', secret: own });
    }
  });

  cheat('is worth nothing to somebody with a token and a key of his own', async () => {
    const other = await OwnKey.create();
    await bound(other, 'eve');
    const value = await proof({}, { jwk: other.jwk }, other);
    expectRefused(await show(value), place, { ...invalid, secret: token });
  });
});

describe('a token without a key', () => {
  cheat('is not taken with a proof', async () => {
    token = await town.token(place);
    const response = await show(await proof());
    expectRefused(response, place, { status: 401, error: 'invalid_token', secret: token });
  });

  cheat('is not taken where keys are demanded', async () => {
    const strict = await town.place({ dpop: dpopCheck(), dpopRequired: true });
    const plain = await town.token(strict);
    for (const scheme of ['Bearer', 'DPoP']) {
      const value = await proof({ htu: strict.url, ath: hashed(plain) });
      const response = await show(value, { authorization: `${scheme} ${plain}` }, strict);
      expectRefused(response, strict, { status: 401, error: 'invalid_token', secret: plain });
    }
  });
});

describe('a nonce', () => {
  const demanding = (more: Partial<ResourceGuardOptions> = {}) =>
    town.place({ dpop: dpopCheck({ nonce: {} }), ...more });
  let strict: ProtectedPlace;
  beforeEach(async () => {
    strict = await demanding();
    token = await town.token(strict, { claims: { cnf: { jkt: key.thumbprint } } });
  });

  /** Sends a proof with a nonce. Returns the nonce of the challenge, if any. */
  async function shown(nonce: unknown): Promise<string | undefined> {
    const response = await show(await proof({ htu: strict.url, nonce }), {}, strict);
    if (response.status === 200) return undefined;
    expectRefused(response, strict, { status: 401, error: 'use_dpop_nonce' });
    return response.headers['dpop-nonce'];
  }

  cheat('that is missing, guessed or no text is asked for, the same each time', async () => {
    const wanted = await shown(undefined);
    for (const nonce of ['', 'guessed', 7, null, ['x'], { a: 1 }]) expect(await shown(nonce)).toBe(wanted);
    expect(await shown(wanted)).toBeUndefined();
  });

  cheat('of another server is not taken', async () => {
    const other = await demanding();
    const own = strict;
    strict = other;
    token = await town.token(other, { claims: { cnf: { jkt: key.thumbprint } } });
    const nonce = await shown(undefined);
    strict = own;
    token = await town.token(own, { claims: { cnf: { jkt: key.thumbprint } } });
    expect(await shown(nonce)).not.toBe(nonce);
  });

  cheat('that is old is not taken', async () => {
    const nonce = await shown(undefined);
    await town.clock.advance(600_000);
    expect(await shown(nonce)).not.toBe(nonce);
  });
});
counted('proofs of possession that prove nothing', () => cases);
