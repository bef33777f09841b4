import { MemoryAuthStore } from '@tenon/mcp-auth/client';
import type { JsonObject } from '@tenon/mcp-protocol';
import { expect } from 'vitest';
import { type ClientRow, clientTable, expectOutcome, type Outcome } from './client-table.js';
import { actAsIssuer } from './evil-issuer.js';
import { handshake, type Scene, stateless, textOf } from './scene.js';

const minute = 60_000;
const briefly = { issuer: { lifetimes: { accessToken: minute } } } as const;
const honest: Outcome = { result: /^user of / };
const both = [stateless, handshake];

/** Signs in, and lets the access token expire. */
async function expire(scene: Scene): Promise<void> {
  await scene.call();
  await scene.clock.advance(2 * minute);
}

/** Rejects the current access token from now on. */
async function revoke(scene: Scene): Promise<void> {
  await scene.call();
  const bad = scene.place.arrived.map(({ headers }) => headers.authorization);
  scene.place.intercept = ({ url, headers: { authorization } }, response) => {
    if (url !== '/mcp' || authorization === undefined || !bad.includes(authorization)) return false;
    response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end();
    return true;
  };
}

/** Fifty calls at once, with the same result each. */
async function storm(scene: Scene, tool = 'who'): Promise<string> {
  const results = await Promise.all(Array.from({ length: 50 }, () => scene.call(tool)));
  expect(new Set(results).size).toBe(1);
  return results[0] as string;
}

const refreshes = ({ issuer }: Scene) => issuer.tokenRequests('refresh_token');

const storms: readonly ClientRow[] = [
  {
    name: 'whose token has expired: one refresh',
    settings: briefly,
    attack: expire,
    act: storm,
    outcome: honest,
    grants: 2,
    ways: both,
  },
  {
    name: 'whose token is refused: one refresh',
    attack: revoke,
    act: storm,
    outcome: honest,
    grants: 2,
    ways: both,
  },
  {
    name: 'that lack the same scope: one question',
    attack: (scene) => scene.call(),
    act: (scene) => storm(scene, 'write'),
    outcome: { result: 'written' },
    prompts: 2,
    ways: both,
  },
  {
    name: 'that begin with nothing: one question',
    attack: () => {},
    act: async (scene) => {
      await Promise.all(Array.from({ length: 50 }, () => scene.connect()));
      return scene.call();
    },
    outcome: honest,
    ways: both,
  },
  {
    name: 'of two providers that share a store: one refresh',
    settings: briefly,
    attack: () => {},
    act: async (scene) => {
      const store = new MemoryAuthStore();
      const one = await scene.connect(scene.url, scene.user({ store }));
      const other = await scene.connect(scene.url, scene.user({ store }));
      await scene.clock.advance(2 * minute);
      const calls = Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? one : other).callTool('who'));
      const results = (await Promise.all(calls)).map(textOf);
      expect(new Set(results).size).toBe(1);
      return results[0];
    },
    outcome: honest,
    grants: 2,
  },
  {
    name: 'whose refresh fails: one try, and nobody is asked',
    settings: briefly,
    attack: async (scene) => {
      await expire(scene);
      scene.behave({ onToken: () => ({ status: 503 }) });
    },
    act: async (scene) => {
      const all = await Promise.allSettled(Array.from({ length: 50 }, () => scene.call()));
      expect(all.filter(({ status }) => status === 'fulfilled')).toEqual([]);
      scene.behave({ onToken: () => undefined });
      return storm(scene);
    },
    outcome: honest,
    grants: 3,
    ways: both,
  },
];

/** The response to an attacker who uses a stolen refresh token. */
async function stealWith(scene: Scene, refreshToken: string): Promise<Response> {
  const [clientId = ''] = scene.issuer.clients.keys();
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: clientId,
    resource: scene.place.resource,
  });
  return fetch(`${scene.issuer.issuer}/token`, { method: 'POST', body });
}

/** Records the refresh tokens that are issued. */
function watching(scene: Scene): string[] {
  const given: string[] = [];
  scene.behave({
    tokenAnswer: (answer) => {
      const { refresh_token } = answer.body as { readonly refresh_token?: string };
      if (refresh_token !== undefined) given.push(refresh_token);
      return answer;
    },
  });
  return given;
}

const thefts: readonly ClientRow[] = [
  {
    name: 'before its owner uses it: what the thief got ends with the next refresh',
    settings: briefly,
    attack: () => {},
    act: async (scene) => {
      const given = watching(scene);
      await expire(scene);
      expect((await stealWith(scene, given[0] ?? '')).status).toBe(200);
      const result = await scene.call();
      expect((await stealWith(scene, given[1] ?? '')).status).toBe(400);
      return result;
    },
    outcome: honest,
    prompts: 2,
    grants: 5,
  },
  {
    name: 'after its owner has used it: nobody has it any more',
    settings: briefly,
    attack: () => {},
    act: async (scene) => {
      const given = watching(scene);
      await expire(scene);
      await scene.call();
      expect((await stealWith(scene, given[0] ?? '')).status).toBe(400);
      await scene.clock.advance(2 * minute);
      return scene.call();
    },
    outcome: honest,
    prompts: 2,
    grants: 5,
  },
];

/** Responses of the token endpoint to a refresh. */
const answers = (body: unknown, status = 200) => ({ status, body: body as JsonObject });
const good = { access_token: 'A'.repeat(40), token_type: 'Bearer', expires_in: 3_600 };

const nonsense: readonly (readonly [string, unknown])[] = [
  ['nothing', {}],
  ['a list', []],
  ['a token that is a number', { ...good, access_token: 7 }],
  ['a token with a line in it', { ...good, access_token: 'a\r\nx-evil: b' }],
  ['a token of a million characters', { ...good, access_token: 'x'.repeat(200_000) }],
  ['a token of no type', { ...good, token_type: undefined }],
  ['a token of another type', { ...good, token_type: 'mac' }],
  ['a refresh token with a line in it', { ...good, refresh_token: 'a\nb' }],
  ['another thing than a token', { ...good, issued_token_type: 'urn:ietf:params:oauth:token-type:id_token' }],
];

const answered: readonly ClientRow[] = [
  ...nonsense.map(
    ([name, body]): ClientRow => ({
      name: `${name}: the user signs in again`,
      settings: briefly,
      attack: async (scene) => {
        await expire(scene);
        scene.behave({
          onToken: ({ grantType }) => (grantType === 'refresh_token' ? answers(body) : undefined),
        });
      },
      outcome: honest,
      prompts: 2,
      grants: 3,
    }),
  ),
  ...[400, 200].map(
    (status): ClientRow => ({
      name: `invalid_grant with status ${status}: the user signs in again`,
      settings: briefly,
      attack: async (scene) => {
        await expire(scene);
        scene.behave({
          onToken: ({ grantType }) =>
            grantType === 'refresh_token' ? answers({ error: 'invalid_grant' }, status) : undefined,
        });
      },
      outcome: honest,
      prompts: 2,
      grants: 3,
    }),
  ),
  {
    name: 'nothing, after it has used up the refresh token: the user signs in again',
    settings: briefly,
    attack: async (scene) => {
      await expire(scene);
      scene.behave({
        tokenAnswer: (_, { params }) => (params.grant_type === 'refresh_token' ? 'hang-up' : _),
      });
      await expectOutcome(scene, scene.call(), { error: 'unreachable' });
      scene.behave({});
    },
    outcome: honest,
    prompts: 2,
    grants: 4,
  },
  {
    name: 'that it does not know the client: it registers again, and the user signs in again',
    settings: briefly,
    attack: async (scene) => {
      await expire(scene);
      for (const id of scene.issuer.clients.keys()) scene.issuer.removeClient(id);
    },
    outcome: honest,
    prompts: 2,
    grants: 3,
    afterwards: ({ issuer, events }) => {
      expect(issuer.count('register')).toBe(2);
      expect(events.map(({ type }) => type)).toContain('client-forgotten');
    },
  },
];

/** Metadata that moves the server to the attacker's issuer. */
async function move(scene: Scene): Promise<void> {
  await revoke(scene);
  const refuse = scene.place.intercept;
  actAsIssuer(scene.thief);
  scene.place.describe({}, [scene.thief.origin]);
  const describe = scene.place.intercept;
  scene.place.intercept = (request, response) =>
    refuse?.(request, response) === true || describe?.(request, response) === true;
}

const moves: readonly ClientRow[] = [
  {
    name: 'gets none of the tokens of the issuer before',
    attack: move,
    // The server does not accept tokens of the attacker.
    outcome: { error: 'refused' },
    prompts: 2,
    grants: 1,
    afterwards: (scene) => {
      expect(scene.thief.heard.map(({ url }) => url.split('?')[0])).toContain('/token');
      expect(refreshes(scene)).toBe(0);
      expect(scene.events.map(({ type }) => type)).toContain('moved');
    },
    ways: both,
  },
  {
    name: 'gets nothing of a client that was registered by hand elsewhere',
    attack: async (scene) => {
      const clientSecret = 'the-secret-of-a-registered-client';
      const client = { clientId: 'by-hand', clientSecret, redirectUris: scene.browser.redirectUris };
      scene.issuer.addClient(client);
      const registered = [{ clientId: 'by-hand', clientSecret, issuer: scene.issuer.issuer }];
      scene.auth = scene.user({ client: { name: 'honest', registered } });
      await move(scene);
    },
    outcome: { error: 'not-registered' },
    prompts: 1,
    grants: 1,
    afterwards: ({ thief }) => expect(thief.heard.filter(({ method }) => method === 'POST')).toEqual([]),
    ways: both,
  },
];

clientTable('tokens that are replaced', {
  'a storm of fifty calls': storms,
  'a refresh token is stolen': thefts,
  'a token endpoint answers a refresh with': answered,
  'a server that names another issuer': moves,
});
