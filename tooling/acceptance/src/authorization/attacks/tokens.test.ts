import { introspectionVerifier, jwtVerifier } from '@tenon/mcp-auth/server';
import type { TokenToIssue } from '@tenon/mcp-testing/oauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { counted } from '../../hostile-server/counted.js';
import { stateless } from '../../hostile-server/request-table.js';
import { encoded, OwnKey } from './own-key.js';
import type { ProtectedPlace } from './protected-place.js';
import { expectRefused, knock, knocks } from './raw-requests.js';
import { TwoIssuers } from './two-issuers.js';

type Verifier = 'jwtVerifier' | 'introspectionVerifier';

interface TokenRow {
  readonly name: string;
  readonly token: (town: TwoIssuers, place: ProtectedPlace) => string | Promise<string>;
  /** The verifiers that reject the token. Introspection returns what the issuer knows, whatever the token contains. */
  readonly by?: readonly Verifier[];
  /** True for a valid token. */
  readonly good?: boolean;
  /** True to try it at every endpoint. Default: the two common ones. */
  readonly everywhere?: boolean;
}

const jwtAlone = ['jwtVerifier'] as const;

/** A token of the honest issuer with these changes. */
const issued = (name: string, changes: TokenToIssue, more: Partial<TokenRow> = {}): TokenRow => ({
  name,
  token: (town, place) => town.token(place, changes),
  ...more,
});
const claims = (
  name: string,
  given: NonNullable<TokenToIssue['claims']>,
  more?: Partial<TokenRow>,
): TokenRow => issued(name, { claims: given }, more);
const header = (
  name: string,
  given: NonNullable<TokenToIssue['header']>,
  more?: Partial<TokenRow>,
): TokenRow => issued(name, { header: given }, { by: jwtAlone, ...more });
const audience = (name: string, write: (place: ProtectedPlace) => string | readonly string[]): TokenRow => ({
  name,
  token: (town, place) => town.token(place, { audience: write(place) }),
});

/** A token with valid claims, signed with a key the issuer does not have. */
const forged = (
  name: string,
  write: (key: OwnKey, town: TwoIssuers) => object | Promise<object> = () => ({}),
): TokenRow => ({
  name,
  token: async (town, place) => {
    const key = await OwnKey.create();
    const honest = await town.token(place);
    const [head = '', payload = ''] = honest
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString());
    const header = JSON.parse(head) as object;
    const changes = await write(key, town);
    return key.sign({ ...header, ...changes }, JSON.parse(payload) as object);
  },
});

/** A changed copy of an honest token. */
const mangled = (name: string, write: (parts: readonly string[]) => string): TokenRow => ({
  name,
  token: async (town, place) => write((await town.token(place)).split('.')),
});

const hour = 3_600_000;
const inSeconds = (ms: number) => Math.floor((Date.now() + ms) / 1_000);

const signatures: readonly TokenRow[] = [
  issued('is as it should be', {}, { good: true }),
  issued('is signed by nobody', { signature: 'none' }, { everywhere: true }),
  ...['None', 'NONE', 'nOnE', ''].map((alg) =>
    issued(`is signed by nobody, who says ${JSON.stringify(alg)}`, { signature: 'none', header: { alg } }),
  ),
  mangled('is signed by nobody, who says nothing of it', ([head, payload]) => `${head}.${payload}.`),
  issued(
    'is signed with the public key for a secret',
    { signature: 'hs256-public-key' },
    { everywhere: true },
  ),
  ...['HS384', 'HS512', 'ES256', 'RS256', 'EdDSA', 'dir'].map((alg) =>
    issued(`is signed with the public key for a secret, and says ${alg}`, {
      signature: 'hs256-public-key',
      header: { alg },
    }),
  ),
  issued('is signed with another key', { signature: 'wrong-key' }, { everywhere: true }),
  issued('is signed with another key that it does not name', {
    signature: 'wrong-key',
    header: { kid: undefined },
  }),
  issued('was changed after it was signed', { signature: 'broken' }, { everywhere: true }),
  mangled('has the signature of another', ([head, payload]) => `${head}.${payload}.${'A'.repeat(86)}`),
  mangled('has no signature', ([head, payload]) => `${head}.${payload}`),
  mangled('says another user than was signed', ([head, payload = '', signature]) => {
    const said = Buffer.from(payload, 'base64url').toString().replace('ada', 'eve');
    return `${head}.${encoded(said)}.${signature}`;
  }),
  forged('brings its own key', ({ jwk }) => ({ jwk })),
  forged('brings its own key, under the name of nobody', ({ jwk }) => ({ jwk, kid: 'mine' })),
  forged('says where its keys are', (_, { thief }) => ({ jku: `${thief.origin}/jwks`, kid: 'mine' })),
  forged('says where its certificate is', (_, { thief }) => ({ x5u: `${thief.origin}/x5`, kid: 'mine' })),
  forged('brings its certificate', () => ({ x5c: ['MIIB'], kid: 'mine' })),
  forged('names a file for its key', () => ({ kid: '../../../../dev/null' })),
  forged('names a member of objects for its key', () => ({ kid: '__proto__' })),
  forged('names a number for its key', () => ({ kid: 7 })),
  forged('names its key at length', () => ({ kid: 'x'.repeat(4_000) })),
];

const heads: readonly TokenRow[] = [
  header('has a header that must be understood', { crit: ['exp'], exp: 1 }),
  header('has a header that must be understood, and is none', { crit: [] }),
  header('says that it is not encoded', { b64: false, crit: ['b64'] }),
  header('says that it is an ID token', { typ: 'id+jwt' }),
  header('says that it is a proof', { typ: 'dpop+jwt' }),
  header('says that it is a logout token', { typ: 'logout+jwt' }),
  header('says that it is of no type a text has', { typ: 7 }),
  header('says that it is of its type in full', { typ: 'application/AT+JWT' }, { good: true }),
];

const kinds: readonly TokenRow[] = [
  issued('is an ID token', { kind: 'id', audience: 'client' }),
  issued('is an ID token for this server', { kind: 'id', claims: { nonce: 'x' } }),
  issued('is an identity assertion for this server', { kind: 'id-jag' }),
  claims('holds what only ID tokens do', { nonce: 'x' }, { by: [] }),
  issued(
    'is an ID token that calls itself JWT',
    { claims: { nonce: 'x' }, header: { typ: 'JWT' } },
    { by: jwtAlone },
  ),
  claims('calls itself a refresh token', { token_use: 'refresh' }, { by: ['introspectionVerifier'] }),
  claims('is bound to a certificate', { cnf: { 'x5t#S256': 'A'.repeat(43) } }),
  claims('is bound to a key and a certificate', { cnf: { jkt: 'A'.repeat(43), 'x5t#S256': 'A'.repeat(43) } }),
  claims('is bound to a key, and sent as if it were not', { cnf: { jkt: 'A'.repeat(43) } }),
  claims('is bound to nothing one could name', { cnf: 'me' }),
];

const audiences: readonly TokenRow[] = [
  { ...audience('another server', () => 'https://other.example/mcp'), everywhere: true },
  audience('other servers', () => ['https://other.example/mcp', 'https://third.example']),
  {
    ...audience('this server among others', (place) => ['https://other.example', place.resource]),
    good: true,
  },
  audience('a path of this server', (place) => place.url),
  audience('this server in capitals', (place) => place.resource.toUpperCase()),
  audience('this server by another name', (place) => place.resource.replace('127.0.0.1', 'localhost')),
  audience('this server with more behind it', (place) => `${place.resource}.example`),
  audience('half of this server', (place) => place.resource.slice(0, -1)),
  audience('its issuer', () => 'http://127.0.0.1'),
  audience('a text that holds this server', (place) => `https://other.example/ ${place.resource}`),
  claims('nobody', { aud: undefined }),
  claims('an empty list', { aud: [] }),
  claims('an empty text', { aud: '' }),
  claims('null', { aud: null }),
  claims('a number', { aud: 7 }),
  {
    name: 'this server, in an object',
    token: (town, place) => town.token(place, { claims: { aud: { 0: place.resource } } }),
  },
  {
    name: 'this server, in a list in a list',
    token: (town, place) => town.token(place, { claims: { aud: [[place.resource]] } }),
  },
];

const issuers: readonly TokenRow[] = [
  {
    name: 'is another one',
    everywhere: true,
    token: ({ stranger }, place) => stranger.issueToken({ audience: place.resource, subject: 'ada' }),
  },
  {
    name: 'is another one, who says that he is the right one',
    token: ({ stranger, honest }, place) =>
      stranger.issueToken({ audience: place.resource, subject: 'ada', claims: { iss: honest.issuer } }),
  },
  ...(
    [
      ['has a slash', (issuer: string) => `${issuer}/`],
      ['is in capitals', (issuer: string) => issuer.toUpperCase()],
      ['is the right one in a list', (issuer: string) => [issuer]],
      ['is missing', () => undefined],
      ['is null', () => null],
      ['is a member of objects', () => '__proto__'],
    ] as const
  ).map(
    ([name, write]): TokenRow => ({
      name,
      token: (town, place) => {
        const iss = write(town.honest.issuer) as string | string[] | null | undefined;
        return town.token(place, { claims: { iss } });
      },
      // Introspection recognises only the issuer's own tokens.
      ...(name === 'is missing' && { by: jwtAlone }),
    }),
  ),
];

const times: readonly TokenRow[] = [
  issued('expired an hour ago', { lifetime: -hour }, { everywhere: true }),
  issued('expired a minute ago', { lifetime: -60_000 }),
  issued('expires within the hour', { lifetime: hour }, { good: true }),
  claims('does not say when it expires', { exp: undefined }, { by: jwtAlone }),
  claims('says in a text when it expires', { exp: String(inSeconds(hour)) }),
  claims('says in a list when it expires', { exp: [inSeconds(hour)] }),
  claims('expires at null', { exp: null }),
  claims('expired before 1970', { exp: -1 }),
  claims('is not valid yet', { nbf: inSeconds(hour) }, { everywhere: true }),
  claims('is valid from a time in a text', { nbf: String(inSeconds(-hour)) }),
  claims('was issued in the future', { iat: inSeconds(hour) }),
  claims('was issued at null', { iat: null }),
];

const callers: readonly TokenRow[] = [
  claims('nobody', { sub: undefined, client_id: undefined }),
  claims('an empty text', { sub: '' }),
  claims('a number', { sub: 7 }),
  claims('null', { sub: null }),
  claims('a list', { sub: ['ada'] }),
];

const texts: readonly TokenRow[] = [
  ...[
    'x',
    'null',
    'undefined',
    'true',
    '..',
    '...',
    'a.b.c',
    '.'.repeat(100),
    'e30.e30.',
    'A'.repeat(8_192),
  ].map((text): TokenRow => ({ name: `${text.slice(0, 20)} (${text.length})`, token: () => text })),
  mangled(
    'a token in a token',
    (parts) => `${encoded({ alg: 'ES256', cty: 'JWT' })}.${encoded(parts.join('.'))}.AAAA`,
  ),
  mangled('one with four parts', (parts) => `${parts.join('.')}.AAAA`),
  mangled('an encrypted one', (parts) => `${encoded({ alg: 'dir', enc: 'A256GCM' })}..${parts[1]}.AAAA.AAAA`),
  mangled('one whose claims are a list', ([head, , signature]) => `${head}.${encoded([])}.${signature}`),
  mangled('one whose claims are null', ([head, , signature]) => `${head}.${encoded(null)}.${signature}`),
  mangled('one whose header is null', ([, payload, signature]) => `${encoded(null)}.${payload}.${signature}`),
  mangled(
    'one whose header is no JSON',
    ([, payload, signature]) => `${encoded('{')}.${payload}.${signature}`,
  ),
];

const groups: Readonly<Record<string, readonly TokenRow[]>> = {
  'a token that': [...signatures, ...heads, ...kinds],
  'a token for': audiences,
  'a token whose issuer': issuers,
  'a token that by the clock': times,
  'a token that names for its caller': callers,
  'a text for a token:': texts,
};

let cases = 0;
describe.each(['jwtVerifier', 'introspectionVerifier'] as const)('%s', (verifier) => {
  let town: TwoIssuers;
  let place: ProtectedPlace;
  beforeAll(async () => {
    town = await TwoIssuers.open();
    const client = { clientId: 'server', clientSecret: 'the-secret-of-the-server' };
    const endpoint = `${town.honest.issuer}/introspect`;
    const verify = verifier === 'jwtVerifier' ? jwtVerifier() : introspectionVerifier({ endpoint, client });
    place = await town.place({ verify });
  });
  afterAll(async () => {
    expect(town.thief.heard).toEqual([]);
    expect(place.notes.errors).toEqual([]);
    await town.close();
  });
  beforeEach(() => {
    place.notes.ran.length = 0;
    place.refused.length = 0;
  });

  describe.each(Object.entries(groups))('%s', (_, rows) => {
    for (const row of rows) {
      const isGood = row.good === true || !(row.by ?? [verifier]).includes(verifier);
      // The other endpoints have no session to use.
      const ways = isGood ? knocks.slice(0, 1) : knocks.slice(0, row.everywhere === true ? undefined : 2);
      for (const way of ways) {
        cases++;
        it(`${row.name} ${isGood ? 'is taken' : 'is refused'} (${way.name})`, async () => {
          const token = await row.token(town, place);
          const response = await knock(place, way.text(place, { authorization: `Bearer ${token}` }));
          if (isGood) expect(response.status).toBe(200);
          else expectRefused(response, place, { status: 401, error: 'invalid_token', secret: token });
          await place.serves(stateless, await town.token(place));
        });
      }
    }
  });
});
counted('tokens that are not what they should be', () => cases);
