import {
  type ClientCredentialsOptions,
  clientCredentials,
  enterpriseManaged,
  jwtBearer,
  MemoryAuthStore,
} from '@tenon/mcp-auth/client';
import { expect } from 'vitest';
import { allWays, type ClientRow, clientTable, expectOutcome, type Outcome } from './client-table.js';
import { actAsIssuer } from './evil-issuer.js';
import { OwnKey } from './own-key.js';
import { handshake, overSse, type Scene, stateless } from './scene.js';
import { sendJson, type Web } from './web.js';

const clientId = 'service';
const clientSecret = 'the-secret-of-the-service';
const assertion = 'the-assertion-of-the-platform';

/** Expects the secrets that reach the attacker to be useless; the scene checks them. */
function knows(scene: Scene, ...secrets: readonly string[]): void {
  for (const secret of secrets) scene.secrets.add('what proves who a client is', secret);
  for (const secret of secrets) {
    scene.secrets.add('what proves who a client is', Buffer.from(`${clientId}:${secret}`).toString('base64'));
  }
}

/** A service with a client secret. */
function service(scene: Scene, options: Partial<ClientCredentialsOptions> = {}): void {
  knows(scene, clientSecret);
  scene.issuer.addClient({ clientId, clientSecret });
  scene.auth = clientCredentials({
    clientId,
    clientSecret,
    clock: scene.clock,
    onEvent: (event) => scene.events.push(event),
    ...options,
  });
}

/** Another server, with this metadata. */
function evilServer({ thief }: Scene, document: (origin: string) => object): string {
  const resource = `${thief.origin}/mcp`;
  const before = thief.answer;
  thief.answer = (heard, response) => {
    if (heard.url.startsWith('/.well-known/oauth-protected-resource')) {
      sendJson(response, { resource, ...document(thief.origin) });
    } else if (heard.url === '/mcp') {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    } else before(heard, response);
  };
  return resource;
}

const nothingPosted = ({ thief }: Scene) => {
  const posted = thief.heard.filter(({ method, url }) => method === 'POST' && url !== '/mcp');
  expect(posted).toEqual([]);
  expect(thief.heard.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
};

const elsewhere: Outcome = { error: 'not-registered', text: /nothing was sent/ };

const pinned: readonly ClientRow[] = [
  {
    name: 'goes to its issuer, as it should',
    attack: (scene) => service(scene),
    outcome: { result: /^service of / },
    prompts: 0,
    grants: 1,
    ...allWays,
  },
  {
    name: 'does not go to the issuer that the server names in place of the one it is for',
    attack: (scene) => {
      service(scene, { issuer: scene.issuer.issuer });
      actAsIssuer(scene.thief);
      scene.place.describe({}, [scene.thief.origin]);
    },
    outcome: elsewhere,
    afterwards: nothingPosted,
    ...allWays,
  },
  {
    name: 'does not go to the issuer of another server',
    attack: (scene) => {
      service(scene, { issuer: scene.issuer.issuer });
      actAsIssuer(scene.thief);
    },
    act: (scene) => scene.connect(evilServer(scene, (origin) => ({ authorization_servers: [origin] }))),
    outcome: elsewhere,
    afterwards: nothingPosted,
    ways: [stateless, handshake],
  },
  {
    name: 'does not go to another issuer than the first one',
    attack: async (scene) => {
      service(scene);
      await scene.call();
      actAsIssuer(scene.thief);
    },
    act: (scene) => scene.connect(evilServer(scene, (origin) => ({ authorization_servers: [origin] }))),
    outcome: elsewhere,
    grants: 1,
    afterwards: nothingPosted,
  },
  {
    name: 'does not go to another issuer than the first one, in another process later',
    attack: async (scene) => {
      const store = new MemoryAuthStore();
      service(scene, { store });
      await scene.call();
      service(scene, { store });
      actAsIssuer(scene.thief);
    },
    act: (scene) => scene.connect(evilServer(scene, (origin) => ({ authorization_servers: [origin] }))),
    outcome: elsewhere,
    grants: 1,
    afterwards: nothingPosted,
  },
  {
    name: 'does not go to an issuer that calls itself the right one',
    attack: (scene) => {
      service(scene, { issuer: scene.issuer.issuer });
      actAsIssuer(scene.thief, { metadata: { issuer: scene.issuer.issuer } });
      scene.place.describe({}, [scene.thief.origin]);
    },
    outcome: { error: 'mismatch' },
    afterwards: nothingPosted,
  },
];

const redirected = [301, 302, 303, 307, 308].map(
  (status): ClientRow => ({
    name: `is not sent on where a token endpoint redirects with ${status}`,
    attack: (scene) => {
      service(scene);
      scene.behave({ onToken: () => ({ status, headers: { location: `${scene.thief.origin}/token` } }) });
    },
    outcome: { error: 'unreachable', text: /redirect/ },
    prompts: 0,
    grants: 1,
    afterwards: ({ thief }) => expect(thief.heard).toEqual([]),
  }),
);

const others: readonly ClientRow[] = [
  {
    name: 'an assertion that a thief was sent is worth nothing at the issuer that he means',
    attack: async (scene) => {
      const key = await OwnKey.create();
      scene.issuer.addClient({ clientId, jwks: { keys: [{ ...key.jwk, kty: 'EC' }] } });
      scene.auth = clientCredentials({
        clientId,
        key: { key: await key.secret(), alg: 'ES256' },
        clock: scene.clock,
      });
      actAsIssuer(scene.thief);
      // The attacker receives the assertion, since it does not name its issuer.
      scene.place.describe({}, [scene.thief.origin]);
      await expectOutcome(scene, scene.connect(), { error: 'refused' });
    },
    act: async ({ thief, issuer, place }) => {
      const { body } = thief.heard.find(({ url }) => url === '/token') ?? { body: '' };
      const stolen = new URLSearchParams(body);
      expect(stolen.get('client_assertion')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
      stolen.set('resource', place.resource);
      const response = await fetch(`${issuer.issuer}/token`, { method: 'POST', body: stolen });
      return `${response.status} ${((await response.json()) as { readonly error: string }).error}`;
    },
    outcome: { result: /^40[01] invalid_client$/ },
    prompts: 0,
    grants: 1,
    // The attacker knows this value legitimately, since it issued it.
    afterwards: ({ thief }) => thief.heard.splice(0),
  },
  {
    name: 'the assertion of a platform is not asked for, and does not go, for another issuer',
    attack: (scene) => {
      knows(scene, assertion);
      actAsIssuer(scene.thief);
      scene.place.describe({}, [scene.thief.origin]);
      scene.auth = jwtBearer({
        clientId,
        issuer: scene.issuer.issuer,
        assertion: () => expect.fail('It was asked for.'),
      });
    },
    outcome: elsewhere,
    afterwards: nothingPosted,
  },
  {
    name: 'the identity of a user of an enterprise does not go to the issuer that a server names',
    attack: (scene) => {
      knows(scene, 'the-identity-of-the-user', clientSecret);
      actAsIssuer(scene.thief);
      scene.place.describe({}, [scene.thief.origin]);
      scene.auth = enterpriseManaged({
        idp: { issuer: scene.issuer.issuer, clientId, clientSecret },
        identity: async () => 'the-identity-of-the-user',
        client: { clientId, clientSecret, issuer: scene.issuer.issuer },
      });
    },
    outcome: elsewhere,
    afterwards: nothingPosted,
  },
  {
    name: 'the secret of a client that was registered by hand goes to its own issuer alone',
    attack: (scene) => {
      knows(scene, clientSecret);
      const { issuer, browser, thief } = scene;
      issuer.addClient({ clientId, clientSecret, redirectUris: browser.redirectUris });
      actAsIssuer(thief);
      scene.place.describe({}, [thief.origin]);
      const registered = [
        { clientId, clientSecret, issuer: issuer.issuer },
        { clientId: 'at-the-thief', clientSecret: 'the-secret-for-the-thief', issuer: thief.origin },
      ];
      scene.auth = scene.user({ client: { name: 'honest', registered } });
    },
    outcome: { error: 'refused' },
    prompts: 1,
    grants: 0,
    afterwards: ({ thief }) => {
      const basic = Buffer.from('at-the-thief:the-secret-for-the-thief').toString('base64');
      expect(thief.heard.some(({ headers }) => headers.authorization === `Basic ${basic}`)).toBe(true);
    },
  },
];

/** Redirects authenticated requests to another server. */
const sendsOn =
  (status: number): ClientRow['attack'] =>
  async (scene) => {
    await scene.call();
    scene.place.intercept = ({ url = '', headers }, response) => {
      if (url.startsWith('/.well-known') || headers.authorization === undefined) return false;
      response.writeHead(status, { location: scene.thief.origin + url }).end();
      return true;
    };
  };

const heardNothing = ({ thief }: Scene) => expect(thief.heard).toEqual([]);
const notFollowed: Outcome = {
  error: 'TransportError',
  text: /another origin|does not keep a message whole/,
};

/** An event stream of HTTP+SSE that names an endpoint. */
function endpointAt(scene: Scene, address: (thief: Web) => string): void {
  scene.place.intercept = ({ url, headers }, response) => {
    if (url !== '/sse' || headers.authorization === undefined) return false;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: endpoint\ndata: ${address(scene.thief)}\n\n`);
    return true;
  };
}

const tokens: readonly ClientRow[] = [
  ...[301, 302, 303, 307, 308].map(
    (status): ClientRow => ({
      name: `is not sent on where a server redirects with ${status}`,
      attack: sendsOn(status),
      outcome: notFollowed,
      prompts: 1,
      afterwards: heardNothing,
      ways: [stateless, handshake],
    }),
  ),
  ...(
    [
      ['another server', ({ origin }: Web) => `${origin}/messages`],
      ['another server, without its scheme', ({ origin }: Web) => `${origin.replace('http:', '')}/messages`],
      [
        'another server, with the right one for a user',
        ({ origin }: Web) => origin.replace('//', '//127.0.0.1:80@'),
      ],
    ] as const
  ).map(
    ([where, address]): ClientRow => ({
      name: `is not sent to an endpoint at ${where}`,
      attack: (scene) => endpointAt(scene, address),
      outcome: { error: 'TransportError' },
      prompts: 1,
      afterwards: heardNothing,
      ways: [overSse],
    }),
  ),
  {
    name: 'is not sent to another server that names the same issuer',
    attack: (scene) => scene.call(),
    act: (scene) => {
      const issuers = [scene.issuer.issuer];
      return scene.connect(evilServer(scene, () => ({ authorization_servers: issuers })));
    },
    outcome: { error: 'refused' },
    prompts: 2,
    afterwards: ({ thief, issuer, place }) => {
      // The attacker receives a token that only it accepts.
      const [shown] = thief.heard.flatMap(({ headers }) => headers.authorization ?? []);
      const [, claims = ''] = shown?.split('.') ?? [];
      const { aud } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { readonly aud: unknown };
      expect([aud].flat()).toEqual([`${thief.origin}/mcp`]);
      expect(issuer.requests.some(({ params }) => params.resource === place.resource)).toBe(true);
      thief.heard.length = 0;
    },
    ways: [stateless, handshake],
  },
  {
    name: 'is not sent to another server that says that it is the first one',
    attack: (scene) => scene.call(),
    act: (scene) => {
      const document = { resource: scene.place.resource, authorization_servers: [scene.issuer.issuer] };
      return scene.connect(evilServer(scene, () => document));
    },
    outcome: { error: 'mismatch' },
    prompts: 1,
    afterwards: nothingPosted,
    ways: [stateless, handshake],
  },
];

clientTable('credentials that somebody else is after', {
  'the secret of a service': pinned,
  'a secret': redirected,
  'what proves who a client is:': others,
  'a token': tokens,
});
