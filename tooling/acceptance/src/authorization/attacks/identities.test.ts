import { allWays, type ClientRow, clientTable } from './client-table.js';
import { actAsIssuer } from './evil-issuer.js';
import type { Scene } from './scene.js';

const mismatch = { outcome: { error: 'mismatch' } } as const;

/** Resource metadata with this identifier. */
const claims =
  (resource: (scene: Scene) => unknown): ClientRow['attack'] =>
  (scene) =>
    scene.place.describe({ resource: resource(scene) }, [scene.issuer.issuer]);

const resources: readonly ClientRow[] = [
  {
    name: 'of another server',
    attack: claims(({ thief }) => `${thief.origin}/mcp`),
    ...mismatch,
    ...allWays,
  },
  { name: 'of another port', attack: claims(() => 'http://127.0.0.1:1/mcp'), ...mismatch },
  { name: 'of another scheme', attack: claims(({ url }) => url.replace('http:', 'https:')), ...mismatch },
  {
    name: 'of another name of this machine',
    attack: claims(({ url }) => url.replace('127.0.0.1', 'localhost')),
    ...mismatch,
  },
  { name: 'of another path', attack: claims(({ place }) => `${place.origin}/other`), ...mismatch },
  { name: 'of a path below', attack: claims(({ url }) => `${url}/admin`), ...mismatch },
  { name: 'of a path that begins so', attack: claims(({ url }) => `${url}s`), ...mismatch },
  { name: 'of half a path', attack: claims(({ url }) => url.slice(0, -1)), ...mismatch },
  { name: 'in capitals', attack: claims(({ url }) => url.replace('/mcp', '/MCP')), ...mismatch },
  { name: 'with a way back', attack: claims(({ url }) => url.replace('/mcp', '/x/../mcp')), ...mismatch },
  { name: 'with a backslash', attack: claims(({ url }) => url.replace('/mcp', '\\mcp')), ...mismatch },
  { name: 'with a user', attack: claims(({ url }) => url.replace('//', '//me@')), ...mismatch },
  { name: 'with a fragment', attack: claims(({ url }) => `${url}#`), ...mismatch },
  { name: 'with a query', attack: claims(({ url }) => `${url}?a=b`), ...mismatch },
  { name: 'with a blank', attack: claims(({ url }) => `${url} `), ...mismatch },
  { name: 'a name', attack: claims(() => 'notes'), ...mismatch },
  { name: 'a number', attack: claims(() => 7), ...mismatch },
  { name: 'a list with the right one', attack: claims(({ url }) => [url]), ...mismatch },
  { name: 'null', attack: claims(() => null), ...mismatch },
  { name: 'missing', attack: claims(() => undefined), ...mismatch },
  {
    name: 'of all of the origin, from a place of its own',
    attack: ({ place, issuer }) => {
      const document = { resource: place.origin, authorization_servers: [issuer.issuer] };
      place.intercept = ({ url }, response) => {
        if (url === '/own')
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
        else if (url === '/mcp')
          response
            .writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${place.origin}/own"` })
            .end();
        else return false;
        return true;
      };
    },
    ...mismatch,
  },
];

/** The server names the attacker as issuer, with these changes in the issuer's metadata. */
const issues =
  (metadata: (scene: Scene) => Readonly<Record<string, unknown>>): ClientRow['attack'] =>
  (scene) => {
    scene.place.describe({}, [scene.thief.origin]);
    actAsIssuer(scene.thief, { metadata: metadata(scene) });
  };

const issuers: readonly ClientRow[] = [
  {
    name: 'is an honest one',
    attack: issues(({ issuer }) => ({ issuer: issuer.issuer })),
    ...mismatch,
    ...allWays,
  },
  { name: 'is the server', attack: issues(({ place }) => ({ issuer: place.origin })), ...mismatch },
  { name: 'has a slash', attack: issues(({ thief }) => ({ issuer: `${thief.origin}/` })), ...mismatch },
  { name: 'has a path', attack: issues(({ thief }) => ({ issuer: `${thief.origin}/a` })), ...mismatch },
  {
    name: 'is in capitals',
    attack: issues(({ thief }) => ({ issuer: thief.origin.toUpperCase() })),
    ...mismatch,
  },
  { name: 'has a blank', attack: issues(({ thief }) => ({ issuer: ` ${thief.origin}` })), ...mismatch },
  { name: 'is a list', attack: issues(({ thief }) => ({ issuer: [thief.origin] })), ...mismatch },
  { name: 'is null', attack: issues(() => ({ issuer: null })), ...mismatch },
  { name: 'is missing', attack: issues(() => ({ issuer: undefined })), ...mismatch },
];

const unsupported = { outcome: { error: 'unsupported' } } as const;
const codeProtection = (methods: unknown) => issues(() => ({ code_challenge_methods_supported: methods }));

const lacking: readonly ClientRow[] = [
  { name: 'PKCE', attack: codeProtection(undefined), ...unsupported, ...allWays },
  {
    name: 'PKCE, which it has as plain alone',
    attack: codeProtection(['plain']),
    ...unsupported,
    ...allWays,
  },
  { name: 'PKCE, which it has in small letters', attack: codeProtection(['s256']), ...unsupported },
  { name: 'PKCE, of which it has a text', attack: codeProtection('S256'), ...unsupported },
  { name: 'PKCE, of which it has a list in a list', attack: codeProtection([['S256']]), ...unsupported },
  { name: 'PKCE, of which it has null', attack: codeProtection(null), ...unsupported },
  {
    name: 'a place to sign in',
    attack: issues(() => ({ authorization_endpoint: undefined })),
    ...unsupported,
  },
  { name: 'a place for tokens', attack: issues(() => ({ token_endpoint: undefined })), ...unsupported },
];

const endpoints = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint'] as const;
const addresses: readonly (readonly [string, (origin: string) => unknown])[] = [
  ['a script', () => 'javascript:alert(1)'],
  ['a script in capitals', () => 'JAVASCRIPT:alert(1)//'],
  ['a document of its own', () => 'data:text/html,<script>alert(1)</script>'],
  ['a file', () => 'file:///etc/passwd'],
  ['a program', () => 'calculator:run'],
  ['http elsewhere', () => 'http://auth.example/x'],
  ['of a private network', () => 'http://10.0.0.7/x'],
  ['of a service of the cloud', () => 'https://169.254.169.254/latest/meta-data/'],
  ['with a password', (origin) => origin.replace('//', '//me:secret@')],
  ['with a fragment', (origin) => `${origin}/x#y`],
  ['with a line in it', (origin) => `${origin}/x\ny`],
  ['with a backslash', () => 'https://auth.example\\@10.0.0.7/'],
  ['relative', () => '/x'],
  ['empty', () => ''],
  ['a number', () => 80],
  ['a list', (origin) => [origin]],
];

const forbidden: readonly ClientRow[] = endpoints.flatMap((endpoint) =>
  addresses.map(
    ([kind, write]): ClientRow => ({
      name: `${endpoint}: ${kind}`,
      attack: issues(({ thief }) => ({ [endpoint]: write(thief.origin) })),
      outcome: { error: 'forbidden-address', text: /^(?!.*(?:secret|alert))/ },
      afterwards: ({ thief }) => expectNothingSent(thief.heard.map(({ method }) => method)),
    }),
  ),
);

function expectNothingSent(methods: readonly string[]): void {
  if (methods.some((method) => method !== 'GET')) throw new Error(`It was sent something: ${methods}.`);
}

const named: readonly (readonly [string, (scene: Scene) => readonly unknown[], string])[] = [
  ['none', () => [], 'discovery-failed'],
  ['a number', () => [7], 'discovery-failed'],
  ['null', () => [null], 'discovery-failed'],
  ['an empty text', () => [''], 'discovery-failed'],
  ['a script', () => ['javascript:alert(1)'], 'forbidden-address'],
  ['http elsewhere', () => ['http://auth.example'], 'forbidden-address'],
  ['a service of the cloud', () => ['https://169.254.169.254'], 'forbidden-address'],
  ['one with a query', ({ thief }) => [`${thief.origin}?x`], 'forbidden-address'],
  ['one with a fragment', ({ thief }) => [`${thief.origin}#x`], 'forbidden-address'],
  ['one with a password', ({ thief }) => [thief.origin.replace('//', '//me:secret@')], 'forbidden-address'],
  ['one that is no authorization server', ({ place }) => [place.origin], 'discovery-failed'],
];

clientTable('documents of somebody else', {
  'a server whose metadata says that it is one': resources,
  'an issuer that says of itself that it': issuers,
  'an authorization server that lacks': lacking,
  'an endpoint that nobody may be led to,': forbidden,
  'a server that names for its authorization servers': [
    ...named.map(
      ([name, write, error]): ClientRow => ({
        name,
        attack: (scene) => scene.place.describe({}, write(scene)),
        outcome: { error, text: /^(?!.*(?:secret|alert))/ },
      }),
    ),
    {
      name: 'five thousand, of which eight are asked',
      attack: ({ place, thief }) =>
        place.describe(
          {},
          Array.from({ length: 5_000 }, (_, n) => `${thief.origin}/${n}`),
        ),
      outcome: { error: 'discovery-failed' },
      afterwards: ({ thief }) => {
        if (thief.heard.length > 8 * 3) throw new Error(`${thief.heard.length} requests were made.`);
      },
    },
  ],
});
