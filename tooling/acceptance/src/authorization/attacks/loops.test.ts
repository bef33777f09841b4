import type { IncomingMessage } from 'node:http';
import { expect } from 'vitest';
import { allWays, type ClientRow, clientTable, expectOutcome, type Outcome } from './client-table.js';
import { actAsIssuer } from './evil-issuer.js';
import { handshake, type Scene, stateless } from './scene.js';
import { sendJson } from './web.js';

/** The server's challenges, by number of the request. */
type Refuses = (
  count: number,
  scene: Scene,
) => { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

/** Rejects all requests, those with a token, or some. */
function refuses(
  how: Refuses,
  which: (request: IncomingMessage) => boolean = ({ headers }) => headers.authorization !== undefined,
): (scene: Scene) => void {
  return (scene) => {
    let count = 0;
    scene.place.intercept = (request, response) => {
      if (request.url?.startsWith('/.well-known') || !which(request)) return false;
      const { status, headers = {} } = how(++count, scene);
      response.writeHead(status, headers).end();
      return true;
    };
  };
}

const metadata = ({ place }: Scene) => `resource_metadata="${place.metadata}"`;
const invalid: Refuses = (_, scene) => ({
  status: 401,
  headers: { 'www-authenticate': `Bearer error="invalid_token", ${metadata(scene)}` },
});
const lacking =
  (scope: (count: number) => string | undefined): Refuses =>
  (count, scene) => {
    const reported = scope(count);
    const scopes = reported === undefined ? '' : `, scope="${reported}"`;
    const challenge = `Bearer error="insufficient_scope"${scopes}, ${metadata(scene)}`;
    return { status: 403, headers: { 'www-authenticate': challenge } };
  };

const refused: Outcome = { error: 'refused', text: /refus/ };
/** Expects at most this number of requests, and no sign-in for a second attempt. */
const quiet =
  (most: number) =>
  async (scene: Scene): Promise<void> => {
    expect(scene.place.arrived.length).toBeLessThanOrEqual(most);
    const { prompts } = scene;
    const grants = scene.issuer.count('token');
    await scene.connect().then(
      () => expect.fail('It was let in.'),
      (error: unknown) => scene.thrown.push(error),
    );
    expect({ prompts: scene.prompts, grants: scene.issuer.count('token') }).toEqual({ prompts, grants });
  };

const always: readonly ClientRow[] = [
  {
    name: '401, as if each token were bad',
    attack: refuses(invalid),
    outcome: refused,
    prompts: 1,
    grants: 1,
    afterwards: quiet(6),
    ...allWays,
  },
  {
    name: '401 and nothing else',
    attack: refuses(() => ({ status: 401 })),
    outcome: refused,
    prompts: 1,
    afterwards: quiet(6),
    ...allWays,
  },
  {
    name: '401 that asks for a name and a password',
    attack: refuses(() => ({ status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } })),
    outcome: refused,
    prompts: 1,
    afterwards: quiet(6),
  },
  {
    name: '401 that asks for other scopes each time',
    attack: refuses((count, scene) => ({
      status: 401,
      headers: { 'www-authenticate': `Bearer error="invalid_token", scope="s${count}", ${metadata(scene)}` },
    })),
    outcome: { error: 'refused', text: /authorized 3 times/ },
    prompts: 3,
    ...allWays,
  },
  {
    name: '403, as if one scope were missing',
    attack: refuses(lacking(() => 'notes:write')),
    outcome: refused,
    prompts: 2,
    ...allWays,
  },
  {
    name: '403, with another scope each time',
    attack: refuses(lacking((count) => `s${count}`)),
    outcome: { error: 'refused', text: /authorized 3 times/ },
    prompts: 3,
    ...allWays,
  },
  { name: '403, with no scope', attack: refuses(lacking(() => undefined)), outcome: refused, prompts: 1 },
  { name: '403, with an empty scope', attack: refuses(lacking(() => '')), outcome: refused, prompts: 1 },
  {
    name: '403, with a thousand scopes',
    attack: refuses(lacking((count) => Array.from({ length: 1_000 }, (_, n) => `s${count}.${n}`).join(' '))),
    outcome: { error: 'refused', text: /authorized 3 times/ },
    prompts: 3,
    afterwards: ({ browser }) => {
      const [, stepUp] = browser.visited;
      expect(stepUp?.searchParams.get('scope')?.split(' ').length).toBeLessThanOrEqual(128);
    },
  },
  {
    name: '403, with what is no scope',
    attack: refuses(lacking(() => '\\" onload=alert(1) \\\\')),
    outcome: { error: 'refused' },
    prompts: 2,
    afterwards: ({ browser }) =>
      expect(browser.visited.at(-1)?.searchParams.get('scope')).toBe('onload=alert(1)'),
  },
  {
    name: '403, for another reason',
    attack: refuses(() => ({ status: 403 })),
    outcome: { error: 'TransportError' },
    prompts: 1,
  },
  {
    name: '403 and 401 in turns',
    attack: refuses((count, scene) => (count % 2 === 0 ? invalid : lacking(() => `s${count}`))(count, scene)),
    outcome: { error: 'refused' },
    prompts: 2,
  },
  {
    name: '403 before anybody has shown anything',
    attack: refuses(
      lacking((count) => `s${count}`),
      () => true,
    ),
    outcome: { error: 'refused' },
    prompts: 3,
  },
];

const nonces: readonly ClientRow[] = [
  {
    name: 'a server that wants another nonce each time',
    settings: { provider: { dpop: true } },
    attack: refuses((count) => ({
      status: 401,
      headers: { 'www-authenticate': 'DPoP error="use_dpop_nonce"', 'dpop-nonce': `nonce-${count}` },
    })),
    outcome: { error: 'refused' },
    prompts: 1,
    afterwards: ({ place }) => expect(place.arrived.length).toBeLessThanOrEqual(8),
    ...allWays,
  },
  {
    name: 'an authorization server that wants another nonce each time',
    settings: { provider: { dpop: true } },
    attack: (scene) => {
      let count = 0;
      scene.behave({
        onToken: () => ({
          status: 400,
          headers: { 'dpop-nonce': `nonce-${++count}` },
          body: { error: 'use_dpop_nonce' },
        }),
      });
    },
    outcome: { error: 'refused' },
    prompts: 1,
    grants: 2,
  },
  {
    name: 'a nonce of the length of a header',
    settings: { provider: { dpop: true } },
    attack: refuses(() => ({
      status: 401,
      headers: { 'www-authenticate': 'DPoP error="use_dpop_nonce"', 'dpop-nonce': 'x'.repeat(8_000) },
    })),
    outcome: { error: 'refused' },
    prompts: 1,
  },
];

const moves: readonly ClientRow[] = [
  {
    name: 'a server that names another issuer each time',
    attack: (scene) => {
      const { place, thief } = scene;
      let count = 0;
      place.intercept = ({ url = '', headers }, response) => {
        if (url.startsWith('/.well-known')) {
          const issuer = `${thief.origin}/${++count}`;
          actAsTenant(scene, `/${count}`);
          sendJson(response, { resource: place.resource, authorization_servers: [issuer] });
          return true;
        }
        if (headers.authorization === undefined) return false;
        response
          .writeHead(401, { 'www-authenticate': `Bearer error="invalid_token", ${metadata(scene)}` })
          .end();
        return true;
      };
    },
    outcome: { error: 'refused', text: /authorized 3 times/ },
    prompts: 3,
    grants: 0,
  },
  {
    name: 'an authorization server that never knows the client it has just registered',
    attack: (scene) => scene.behave({ onToken: () => ({ status: 401, body: { error: 'invalid_client' } }) }),
    outcome: { error: 'not-registered', text: /invalid_client/ },
    prompts: 2,
    afterwards: ({ issuer }) => expect(issuer.count('register')).toBe(2),
  },
  {
    name: 'an authorization server whose tokens expire as soon as they are there',
    attack: (scene) =>
      scene.behave({
        tokenAnswer: (answer) => ({ ...answer, body: { ...(answer.body as object), expires_in: 0.0001 } }),
      }),
    outcome: { error: 'refused' },
    prompts: 1,
    // At most two for each authorization of the request.
    grants: 6,
    afterwards: ({ place }) => expect(place.arrived.length).toBeLessThanOrEqual(8),
  },
  {
    name: 'an authorization server whose tokens expire as soon as they are there, and are not refreshed',
    settings: { issuer: { refreshTokens: 'none' } },
    attack: (scene) =>
      scene.behave({
        tokenAnswer: (answer) => ({ ...answer, body: { ...(answer.body as object), expires_in: 0.0001 } }),
      }),
    outcome: { error: 'refused', text: /authorized 3 times/ },
    prompts: 3,
  },
];

/** Makes the thief act as an issuer below a path. */
function actAsTenant({ thief }: Scene, path: string): void {
  actAsIssuer(thief, { origin: thief.origin + path });
  const { answer } = thief;
  thief.answer = (heard, response) => answer({ ...heard, url: heard.url.replace(path, '') }, response);
}

const partly: readonly ClientRow[] = [
  {
    name: 'every stream, and nothing else',
    attack: refuses(
      invalid,
      ({ method, headers }) => method === 'GET' && headers.authorization !== undefined,
    ),
    ways: [handshake],
    outcome: { result: /^user of / },
    prompts: 1,
    grants: 1,
  },
  {
    name: 'the end of a session, and nothing else',
    attack: refuses(invalid, ({ method }) => method === 'DELETE'),
    ways: [handshake],
    outcome: { result: /^user of / },
  },
  {
    name: 'every second request',
    attack: refuses((count, scene) => invalid(count, scene), everySecond()),
    act: async (scene) => {
      const client = await scene.connect();
      for (let count = 0; count < 10; count++) await client.callTool('who').catch(() => {});
      return 'done';
    },
    outcome: { result: 'done' },
    // Each challenge causes one refresh and no sign-in.
    prompts: 1,
    grants: 11,
  },
];

function everySecond(): (request: IncomingMessage) => boolean {
  let count = 0;
  return ({ headers }) => headers.authorization !== undefined && ++count % 2 === 0;
}

const denied: Outcome = { error: 'denied', text: /denied/ };
const refusals: readonly ClientRow[] = [
  {
    name: 'the sign-in, then connects again',
    settings: { issuer: { user: 'deny' } },
    attack: async (scene) => {
      await expectOutcome(scene, scene.connect(), denied);
    },
    outcome: { error: 'denied', text: /not requested again for \d+ s; signIn\(\) requests it at once/ },
    prompts: 1,
    grants: 0,
    ...allWays,
  },
  {
    name: 'the sign-in, then signs in when asked to',
    settings: { issuer: { user: 'deny' } },
    attack: async (scene) => {
      await expectOutcome(scene, scene.connect(), denied);
      scene.behave({ user: 'user' });
      await scene.auth.signIn(scene.url);
    },
    outcome: { result: /^user of / },
    prompts: 2,
    grants: 1,
  },
  {
    name: 'the sign-in, then connects when a minute has passed',
    settings: { issuer: { user: 'deny' } },
    attack: async (scene) => {
      await expectOutcome(scene, scene.connect(), denied);
      scene.behave({ user: 'user' });
      await scene.clock.advance(60_000);
    },
    outcome: { result: /^user of / },
    prompts: 2,
    grants: 1,
  },
  {
    name: 'more scopes, then asks for the same ten times',
    attack: () => {},
    act: async (scene) => {
      await scene.connect();
      scene.behave({ user: 'deny' });
      for (let count = 0; count < 10; count++)
        await expectOutcome(scene, scene.call('write'), { error: 'denied' });
      // Calls that need fewer scopes still succeed.
      return scene.call();
    },
    outcome: { result: /^user of / },
    prompts: 2,
    grants: 1,
    ways: [stateless, handshake],
  },
  {
    name: 'more scopes by granting fewer, and is asked once',
    settings: { protect: { scopes: ['notes:read'] } },
    attack: (scene) =>
      scene.behave({ grantScopes: (scopes) => scopes.filter((scope) => scope !== 'notes:write') }),
    act: async (scene) => {
      for (let count = 0; count < 5; count++)
        await expectOutcome(scene, scene.call('write'), { error: 'denied' });
      return scene.call();
    },
    outcome: { result: /^user of / },
    prompts: 2,
    ways: [stateless, handshake],
  },
];

clientTable('those who go on and on', {
  'a server that answers all that it is asked with': always,
  'nobody is asked for ever by': nonces,
  'nobody is sent around for ever by': moves,
  'a server that refuses': partly,
  'a user who refuses': refusals,
});
