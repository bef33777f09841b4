import { describe, expect, it, test } from 'vitest';
import { fakeServer } from '../../test/fake-authorization.js';
import { allTextsOf, failureOf, grantTools } from '../../test/grant-tools.js';
import { type Scripted, ScriptedHttp } from '../../test/scripted-http.js';
import { type DynamicRegistration, registerClient } from './dynamic-registration.js';

const endpoint = new URL('https://auth.example/register');
const loopback = 'http://127.0.0.1/callback';
const web = 'https://app.example/callback';

interface Asked {
  readonly methods?: readonly string[];
  readonly scopes?: readonly string[];
  readonly interaction?: DynamicRegistration['interaction'];
}

/** Registers where the endpoint answers from a list, its last answer again and again. */
function register(answers: readonly Scripted[], { methods = ['none'], scopes, interaction }: Asked = {}) {
  const http = new ScriptedHttp();
  let count = 0;
  http.on(endpoint.href, () => answers[Math.min(count++, answers.length - 1)] ?? { status: 500 });
  const client = registerClient({
    server: fakeServer({ tokenEndpointAuthMethods: methods }),
    endpoint,
    metadata: { name: 'My agent' },
    grantType: 'authorization_code',
    interaction: interaction ?? { redirectUris: [loopback], applicationType: 'native' },
    scopes,
    tools: grantTools(http),
  });
  const told = () => http.requests.map(({ body }) => JSON.parse(body ?? '') as Record<string, unknown>);
  const kinds = () => told().map(({ application_type }) => application_type);
  return { client, kinds, told };
}

const answered = (body: object, asked?: Asked) => register([{ status: 201, body }], asked).client;

test('the client is what the server says it is', async () => {
  const client_id = 'made';
  const client_secret = 's3cret';
  expect(await answered({ client_id })).toEqual({ clientId: client_id, authMethod: 'none' });
  const basic = { methods: ['client_secret_basic'] };
  expect(await answered({ client_id, client_secret, client_secret_expires_at: 0 }, basic)).toEqual({
    clientId: client_id,
    clientSecret: client_secret,
    secretExpiresAt: undefined,
    authMethod: 'client_secret_basic',
  });
  // The server decides.
  const decided = { client_id, client_secret, token_endpoint_auth_method: 'client_secret_post' };
  expect(await answered(decided)).toMatchObject({
    authMethod: 'client_secret_post',
    clientSecret: client_secret,
  });
  const open = { client_id, client_secret, token_endpoint_auth_method: 'none' };
  expect(await answered(open, basic)).toEqual({ clientId: client_id, authMethod: 'none' });
  // A secret that nobody asked for, and no word on how to use it.
  expect(await answered({ client_id, client_secret })).toMatchObject({
    clientSecret: client_secret,
    authMethod: undefined,
  });
});

describe('scopes that are going to be asked for', () => {
  const scopes = ['notes:read', 'offline_access'];
  const made: Scripted = { status: 201, body: { client_id: 'made' } };

  it('are registered, because many servers let a client ask for no others', async () => {
    const { client, told } = register([made], { scopes });
    await client;
    expect(told()[0]?.scope).toBe('notes:read offline_access');
    const none = register([made]);
    await none.client;
    expect(none.told()[0]).not.toHaveProperty('scope');
  });

  it.each(['invalid_client_metadata', 'invalid_scope', 'insufficient_scope'])(
    'are left out where the server refuses them with %s',
    async (error) => {
      const { client, told } = register([{ status: 400, body: { error } }, made], { scopes });
      expect(await client).toMatchObject({ clientId: 'made' });
      expect(told().map(({ scope, application_type }) => [scope, application_type])).toEqual([
        ['notes:read offline_access', 'native'],
        [undefined, 'native'],
      ]);
    },
  );

  it('are not what a server refuses to any client: it is asked three times at most, and what it said first is told', async () => {
    const refuse = (text: string): Scripted => ({
      status: 400,
      body: { error: 'invalid_client_metadata', error_description: text },
    });
    const { client, told } = register([refuse('first'), refuse('second'), refuse('third')], { scopes });
    await expect(client).rejects.toThrow('invalid_client_metadata: first');
    expect(told().map(({ scope, application_type }) => [scope, application_type])).toEqual([
      ['notes:read offline_access', 'native'],
      [undefined, 'native'],
      [undefined, 'web'],
    ]);
    const down = register([refuse('first'), { status: 503 }], { scopes });
    await expect(down.client).rejects.toMatchObject({ reason: 'unreachable' });
    const other = register([{ status: 400, body: { error: 'access_denied' } }], { scopes });
    await expect(other.client).rejects.toMatchObject({ reason: 'not-registered' });
    expect(other.told()).toHaveLength(1);
  });
});

test('an answer that is no registration is told as what it is', async () => {
  const asked = { methods: ['client_secret_basic'] };
  const table: readonly (readonly [string, Scripted, Asked?])[] = [
    ['unreachable', { status: 201, body: '{' }],
    ['unreachable', { status: 201, body: '[]' }],
    ['unreachable', { status: 200, body: {} }],
    ['unreachable', { status: 201, body: { client_id: '' } }],
    ['unreachable', { status: 201, body: { client_id: 7 } }],
    ['unreachable', { status: 201, body: { client_id: 'a\nb' } }],
    ['unreachable', { status: 201, body: { client_id: 'x'.repeat(5_000) } }],
    ['unreachable', { status: 201, body: '{"__proto__":{"client_id":"x"}}' }],
    ['unreachable', { status: 503 }],
    ['unreachable', { status: 429, body: { error: 'slow_down' } }],
    ['not-registered', { status: 302, headers: { location: 'https://evil.example' } }],
    ['not-registered', { status: 403 }],
    ['not-registered', { status: 201, body: { client_id: 'made' } }, asked],
    [
      'unsupported',
      { status: 201, body: { client_id: 'made', token_endpoint_auth_method: 'tls_client_auth' } },
    ],
  ];
  for (const [reason, answer, how] of table) {
    await expect(register([answer], how).client, JSON.stringify(answer).slice(0, 80)).rejects.toMatchObject({
      reason,
    });
  }
});

test('a refusal carries what the server says, fit to be shown', async () => {
  const body = {
    error: 'invalid_software_statement',
    error_description: `\u001b[31mNo\u0000 ${'x'.repeat(400)}`,
  };
  const failure = await failureOf(register([{ status: 400, body }]).client);
  expect(failure).toMatchObject({
    reason: 'not-registered',
    status: undefined,
    answerStatus: 400,
    oauthError: 'invalid_software_statement',
  });
  expect((failure as Error).message).toMatch(
    /^https:\/\/auth\.example refused to register the client: invalid_software_statement: No x{100,200}\. Register/,
  );
});

test('no error shows a secret', async () => {
  const body = { client_id: 'made', client_secret: 's3cret-value', redirect_uris: [web] };
  const failure = await failureOf(answered(body));
  expect(failure).toMatchObject({
    reason: 'not-registered',
    message: expect.stringContaining(`without its redirect URI ${loopback}`),
  });
  expect(allTextsOf(failure)).not.toContain('s3cret-value');
});

test('redirect URIs that come back in another spelling are the same', async () => {
  const interaction = { redirectUris: ['http://localhost:3000', web], applicationType: 'native' } as const;
  const redirect_uris = [web, 'HTTP://localhost:3000/', 'https://more.example/'];
  await expect(answered({ client_id: 'made', redirect_uris }, { interaction })).resolves.toMatchObject({
    clientId: 'made',
  });
});

const made: Scripted = { status: 201, body: { client_id: 'made' } };
const refused = (error: string): Scripted => ({ status: 400, body: { error } });

test('the other kind of application is tried once, where that may help', async () => {
  const native = (uri: string): Asked => ({
    interaction: { redirectUris: [uri], applicationType: 'native' },
  });
  const site = (uri: string): Asked => ({ interaction: { redirectUris: [uri], applicationType: 'web' } });
  const table: readonly (readonly [string, Asked, readonly string[]])[] = [
    ['invalid_client_metadata', native(loopback), ['native', 'web']],
    ['invalid_client_metadata', site(web), ['web', 'native']],
    ['invalid_redirect_uri', native(web), ['native', 'web']],
    ['invalid_redirect_uri', site('http://localhost/x'), ['web', 'native']],
    // These redirect URIs are for no other kind.
    ['invalid_redirect_uri', native(loopback), ['native']],
    ['invalid_redirect_uri', site(web), ['web']],
    ['access_denied', native(loopback), ['native']],
  ];
  for (const [error, asked, expected] of table) {
    const { client, kinds } = register([refused(error), made], asked);
    if (expected.length === 2) await expect(client).resolves.toMatchObject({ clientId: 'made' });
    else await expect(client).rejects.toMatchObject({ oauthError: error });
    expect(kinds(), `${error} ${JSON.stringify(asked)}`).toEqual(expected);
  }
});

test('where the other kind is refused too, the first refusal is told; where the server breaks, that', async () => {
  const twice = register([refused('invalid_client_metadata'), refused('invalid_redirect_uri')]);
  await expect(twice.client).rejects.toMatchObject({ oauthError: 'invalid_client_metadata' });
  expect(twice.kinds()).toEqual(['native', 'web']);
  const broken = register([refused('invalid_client_metadata'), { status: 500 }]);
  await expect(broken.client).rejects.toMatchObject({ reason: 'unreachable' });
});
