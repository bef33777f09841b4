import { connect } from '@tenon/mcp-client';
import { oauthError, type RecordedRequest, type TestAnswer } from '@tenon/mcp-testing/oauth';
import { expect } from 'vitest';
import { allWays, type ClientRow, clientTable, type Outcome } from './client-table.js';
import { actAsIssuer } from './evil-issuer.js';
import type { Scene } from './scene.js';
import { sendJson } from './web.js';

const honest: Outcome = { result: /^user of / };
const good = { access_token: 'A'.repeat(40), token_type: 'Bearer', expires_in: 3_600 };

/** The token endpoint's responses to the code. */
const granted = (name: string, answer: unknown, error = 'unreachable'): ClientRow => ({
  name,
  attack: (scene) => {
    scene.behave({ onToken: () => answer as TestAnswer });
  },
  outcome: { error },
  prompts: 1,
});
const body = (name: string, given: unknown, error?: string): ClientRow =>
  granted(name, { status: 200, body: given }, error);

const deep = `{"access_token":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
const tokens: readonly ClientRow[] = [
  body('nothing', {}),
  body('a list', '[]'),
  body('a text', '"token"'),
  body('null', 'null'),
  body('a page', '<html>'),
  body('a form', 'access_token=x&token_type=Bearer'),
  body('a hundred thousand levels', deep),
  body('a member of objects', '{"__proto__":{"access_token":"x","token_type":"Bearer"}}'),
  body('a token that is a number', { ...good, access_token: 7 }),
  body('a token that is empty', { ...good, access_token: '' }),
  body('a token with a line in it', { ...good, access_token: 'a\r\nx-evil: b' }),
  body('a token with a blank in it', { ...good, access_token: 'a b' }),
  body('a token with a letter that fits into no header', { ...good, access_token: 'é' }),
  body('a token of a hundred thousand characters', { ...good, access_token: 'x'.repeat(100_000) }),
  body('a token of no type', { access_token: 'x'.repeat(40) }),
  body('a token of another type', { ...good, token_type: 'mac' }, 'unsupported'),
  body('a token of the type N_A', { ...good, token_type: 'N_A' }, 'unsupported'),
  body('a token that is bound to a key nobody has', { ...good, token_type: 'DPoP' }, 'unsupported'),
  body(
    'an ID token',
    { ...good, issued_token_type: 'urn:ietf:params:oauth:token-type:id_token' },
    'unsupported',
  ),
  body('a lifetime that is a text', { ...good, expires_in: 'soon' }, 'refused'),
  body('a lifetime that is negative', { ...good, expires_in: -1 }, 'refused'),
  body('a lifetime that is a list', { ...good, expires_in: [1] }, 'refused'),
  body('a refresh token that is a list', { ...good, refresh_token: ['x'] }),
  body('a refresh token with a line in it', { ...good, refresh_token: 'a\nb' }),
  body('scopes that are a list', { ...good, scope: ['a'] }, 'refused'),
  body('scopes with quotation marks', { ...good, scope: 'a"b' }, 'refused'),
  granted('a failure', { status: 500 }),
  granted('a connection that breaks', 'hang-up'),
  granted('its patience', { status: 429, headers: { 'retry-after': '3600' } }),
  granted('10 MB', { status: 200, body: `{"access_token":"${'x'.repeat(10 << 20)}"}` }),
  granted('10 MB that it calls an error', { status: 400, body: `{"error":"${'x'.repeat(10 << 20)}"}` }),
  granted('an error that is a text of its own', { status: 400, body: { error: 'call 555-0100 now' } }),
  granted('an error that is a list', { status: 400, body: { error: ['invalid_grant'] } }),
  granted('an error with the status of success', { status: 200, body: { error: 'access_denied' } }, 'denied'),
  granted(
    'an error with what terminals obey',
    oauthError('invalid_grant', '\u001b]0;x\u0007\u001b[2J\u202eevil\u0000\r\nx'),
    'denied',
  ),
];

/** Error responses that repeat parts of the request. */
const echoes: readonly (readonly [string, (request: RecordedRequest) => TestAnswer])[] = [
  ['the code for its error', ({ params }) => oauthError(params.code ?? '')],
  [
    'the code in its description',
    ({ params }) => oauthError('invalid_grant', `No such code: ${params.code}`),
  ],
  [
    'half of the code',
    ({ params }) => oauthError('invalid_grant', `No such code: ${params.code?.slice(0, 20)}`),
  ],
  ['the verifier', ({ params }) => oauthError('invalid_grant', `verifier=${params.code_verifier}.`)],
  ['the verifier for its error', ({ params }) => oauthError(params.code_verifier ?? '')],
  ['the whole request', ({ body: sent }) => oauthError('invalid_request', sent)],
  ['the whole request, escaped', ({ body: sent }) => oauthError('invalid_request', encodeURIComponent(sent))],
  ['the whole request, and no JSON', ({ body: sent }) => ({ status: 400, body: sent })],
  [
    'the whole request, and a failure',
    ({ body: sent }) => ({ status: 500, body: { error: 'server_error', error_description: sent } }),
  ],
  ['the secret of the client', ({ headers }) => oauthError('invalid_client', `${headers.authorization}`)],
  [
    'the secret of the client, in plain text',
    ({ headers }) => {
      const basic = headers.authorization?.replace('Basic ', '') ?? '';
      return oauthError('unauthorized_client', Buffer.from(basic, 'base64').toString());
    },
  ],
  [
    'the secret of the client, where it was sent in the form',
    ({ params }) => oauthError('unauthorized_client', params.client_secret ?? '-'),
  ],
];

const reported: readonly ClientRow[] = echoes.flatMap(([what, answer]) =>
  (['client_secret_basic', 'client_secret_post'] as const).map(
    (authMethod): ClientRow => ({
      name: `${what} (${authMethod})`,
      attack: (scene) => {
        const client = { clientId: 'by-hand', clientSecret: 'the-secret-of-a-client-by-hand', authMethod };
        scene.issuer.addClient({ ...client, redirectUris: scene.browser.redirectUris });
        const registered = [{ ...client, issuer: scene.issuer.issuer }];
        scene.auth = scene.user({ client: { name: 'honest', registered } });
        scene.secrets.add('the secret in plain text', client.clientSecret);
        scene.behave({ onToken: answer });
      },
      act: failing,
      outcome: { result: /^AuthError$/ },
      prompts: 1,
    }),
  ),
);

const redirected = [301, 302, 303, 307, 308].map(
  (status): ClientRow => ({
    ...granted(`a redirect with ${status}`, undefined),
    attack: (scene) => {
      actAsIssuer(scene.thief);
      scene.behave({ onToken: () => ({ status, headers: { location: `${scene.thief.origin}/token` } }) });
    },
    afterwards: ({ thief }) => expect(thief.heard).toEqual([]),
  }),
);

/** The registration endpoint's responses. */
const registered = (name: string, answer: unknown, error = 'unreachable'): ClientRow => ({
  name,
  attack: (scene) => {
    scene.behave({
      onRequest: ({ endpoint }) => (endpoint === 'register' ? (answer as TestAnswer) : undefined),
    });
  },
  outcome: { error },
  afterwards: ({ issuer, place }) => {
    // The message of the attacker is not presented as the server's.
    expect(place.arrived.filter(({ url }) => url.startsWith('/mcp'))).toHaveLength(1);
    expect(issuer.count('register')).toBeLessThanOrEqual(2);
  },
});
const client = (name: string, given: unknown, error?: string): ClientRow =>
  registered(name, { status: 201, body: given }, error);

const uris = ['http://127.0.0.1/callback'];
const registrations: readonly ClientRow[] = [
  client('nothing', {}),
  client('a list', '[]'),
  client('a page', '<html>'),
  client('null', 'null'),
  client('a hundred thousand levels', `{"client_id":${'['.repeat(100_000)}`),
  client('10 MB', `{"client_id":"${'x'.repeat(10 << 20)}"}`),
  client('an id that is a number', { client_id: 7 }),
  client('an id that is empty', { client_id: '' }),
  client('an id with a line in it', { client_id: 'a\nb' }),
  client('an id of ten thousand characters', { client_id: 'x'.repeat(10_000) }),
  client('an id of a member of objects', '{"__proto__":{"client_id":"x"}}'),
  client(
    'another place for users to come back to',
    { client_id: 'x', redirect_uris: ['https://evil.example/'] },
    'not-registered',
  ),
  client(
    'an unknown way to authenticate',
    { client_id: 'x', redirect_uris: uris, token_endpoint_auth_method: 'tls_client_auth' },
    'unsupported',
  ),
  client(
    'a way to authenticate that takes a secret, and none',
    { client_id: 'x', redirect_uris: uris, token_endpoint_auth_method: 'client_secret_basic' },
    'not-registered',
  ),
  registered('a failure', { status: 500 }),
  registered('a connection that breaks', 'hang-up'),
  ...[400, 401, 403, 404, 405].map((status) => ({
    ...registered(`${status}`, { status, body: {} }, 'not-registered'),
    // A client that does not know the server's features must not guess them from this response.
    act: ({ url, auth }: Scene) => connect(url, { info: { name: 'honest', version: '1' }, auth }),
  })),
  ...[301, 302, 307, 308].map((status) => ({
    ...registered(`a redirect with ${status}`, undefined),
    attack: (scene: Scene) => {
      actAsIssuer(scene.thief);
      const away = { status, headers: { location: `${scene.thief.origin}/register` } };
      scene.behave({ onRequest: ({ endpoint }) => (endpoint === 'register' ? away : undefined) });
    },
    outcome: { error: 'not-registered' },
    afterwards: ({ thief }: Scene) => expect(thief.heard).toEqual([]),
  })),
];

/** Metadata with a sign-in URL that contains parameters of the client in its query. */
const query: ClientRow = {
  name: 'is sent there with what the client says, and once',
  attack: (scene) => {
    const { issuer } = scene;
    const said = new URLSearchParams({
      ...{ client_id: 'evil', redirect_uri: 'https://evil.example/', state: 'evil', response_type: 'token' },
      ...{
        code_challenge: 'evil',
        code_challenge_method: 'plain',
        resource: 'https://evil.example/',
        tenant: 'kept',
      },
    });
    scene.behave({
      metadata: (document) => ({ ...document, authorization_endpoint: `${issuer.issuer}/authorize?${said}` }),
    });
  },
  outcome: honest,
  afterwards: ({ browser }) => {
    const [url] = browser.visited;
    const names = [...(url?.searchParams.keys() ?? [])];
    expect(new Set(names).size).toBe(names.length);
    expect(url?.search).not.toContain('evil');
    expect(url?.searchParams.get('code_challenge_method')).toBe('S256');
    expect(url?.searchParams.get('tenant')).toBe('kept');
  },
};

/** Metadata that differs on every request. */
const changing: ClientRow = {
  name: 'has the code go where the user was sent, whatever the metadata says by then',
  attack: (scene) => {
    const { place, thief } = scene;
    actAsIssuer(thief);
    place.describe({}, [thief.origin]);
    let count = 0;
    const { answer } = thief;
    thief.answer = (heard, response) => {
      if (!heard.url.startsWith('/.well-known')) {
        answer(heard, response);
        return;
      }
      const evil = ++count > 1 ? 'http://127.0.0.1:1' : thief.origin;
      sendJson(response, {
        issuer: thief.origin,
        ...{ authorization_endpoint: `${thief.origin}/authorize`, token_endpoint: `${evil}/token` },
        ...{ registration_endpoint: `${thief.origin}/register`, code_challenge_methods_supported: ['S256'] },
        token_endpoint_auth_methods_supported: ['none'],
      });
    };
  },
  outcome: { error: 'refused' },
  prompts: 1,
  grants: 0,
  afterwards: ({ thief }) => expect(thief.heard.filter(({ url }) => url === '/token')).toHaveLength(1),
};

const leaving: readonly ClientRow[] = [
  {
    name: 'has tokens taken back at its own address alone, and forgets them if it fails',
    attack: (scene) =>
      scene.behave({
        onRequest: ({ endpoint }) =>
          endpoint === 'revoke'
            ? { status: 307, headers: { location: `${scene.thief.origin}/revoke` } }
            : undefined,
      }),
    act: async (scene) => {
      await scene.call();
      await scene.auth.signOut(scene.url);
      expect(scene.issuer.count('revoke')).toBeGreaterThan(0);
      return scene.call();
    },
    outcome: honest,
    prompts: 2,
    afterwards: ({ thief }) => expect(thief.heard).toEqual([]),
  },
  {
    name: 'has tokens taken back nowhere where its address is that of a service of the cloud',
    attack: (scene) =>
      scene.behave({
        metadata: (document) => ({ ...document, revocation_endpoint: 'https://169.254.169.254/revoke' }),
      }),
    act: async (scene) => {
      await scene.call();
      await scene.auth.signOut(scene.url);
      return scene.call();
    },
    outcome: honest,
    prompts: 2,
  },
];

/** The server repeats the request in texts for people. */
const repeating: readonly ClientRow[] = [400, 401, 403, 404, 500].map(
  (status): ClientRow => ({
    name: `in an answer with ${status}, which nobody is shown`,
    attack: async (scene) => {
      await scene.call();
      scene.place.intercept = ({ headers: { authorization } }, response) => {
        response.writeHead(status, { 'content-type': 'text/plain' }).end(`You are ${authorization}!`);
        return true;
      };
    },
    act: failing,
    outcome: { result: /^\w+Error$/ },
    prompts: 1,
    ...allWays,
  }),
);

/** Returns the name of the error the application receives; the scene checks all reports for secrets. */
async function failing(scene: Scene): Promise<string> {
  const error = await scene.call().then(
    () => expect.fail('It was answered.'),
    (thrown: unknown) => thrown as Error,
  );
  scene.thrown.push(error);
  return error.name;
}

clientTable('authorization servers that mean no good', {
  'the token endpoint answers the code with': [...tokens, ...redirected],
  'the token endpoint tells back': reported,
  'the registration endpoint answers with': registrations,
  'a user': [query, changing],
  'whoever signs out': leaving,
  'the server repeats the token': repeating,
});
