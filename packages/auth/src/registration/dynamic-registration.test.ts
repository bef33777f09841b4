import { describe, expect, it, test } from 'vitest';
import { fakeServer } from '../../test/client/fake-authorization.js';
import { allTextsOf, failureOf, grantTools } from '../../test/client/grant-tools.js';
import { type Scripted, ScriptedHttp } from '../../test/http/scripted-http.js';
import { type DynamicRegistration, registerClient } from './dynamic-registration.js';

const endpoint = new URL('https://auth.example/register');
const loopback = 'http://127.0.0.1/callback';
const web = 'https://app.example/callback';

interface Asked {
  readonly methods?: readonly string[];
  readonly scopes?: readonly string[];
  readonly interaction?: DynamicRegistration['interaction'];
}

/** Registers at an endpoint that sends these responses, and the last one repeatedly. */
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
  const registered = () => http.requests.map(({ body }) => JSON.parse(body ?? '') as Record<string, unknown>);
  const kinds = () => registered().map(({ application_type }) => application_type);
  return { client, kinds, registered };
}

const answered = (body: object, asked?: Asked) => register([{ status: 201, body }], asked).client;

test('uses the client as the server registered it', async () => {
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
  // A secret that was not requested, without an authentication method.
  expect(await answered({ client_id, client_secret })).toMatchObject({
    clientSecret: client_secret,
    authMethod: undefined,
  });
});

describe('registerClient with scopes', () => {
  const scopes = ['notes:read', 'offline_access'];
  const made: Scripted = { status: 201, body: { client_id: 'made' } };

  it('registers the scopes, because many servers grant a client no others', async () => {
    const { client, registered } = register([made], { scopes });
    await client;
    expect(registered()[0]?.scope).toBe('notes:read offline_access');
    const none = register([made]);
    await none.client;
    expect(none.registered()[0]).not.toHaveProperty('scope');
  });

  it.each(['invalid_client_metadata', 'invalid_scope', 'insufficient_scope'])(
    'registers without scopes after a refusal with %s',
    async (error) => {
      const { client, registered } = register([{ status: 400, body: { error } }, made], { scopes });
      expect(await client).toMatchObject({ clientId: 'made' });
      expect(registered().map(({ scope, application_type }) => [scope, application_type])).toEqual([
        ['notes:read offline_access', 'native'],
        [undefined, 'native'],
      ]);
    },
  );

  it('throws the first of three refusals', async () => {
    const refuse = (text: string): Scripted => ({
      status: 400,
      body: { error: 'invalid_client_metadata', error_description: text },
    });
    const { client, registered } = register([refuse('first'), refuse('second'), refuse('third')], { scopes });
    await expect(client).rejects.toThrow('invalid_client_metadata: first');
    expect(registered().map(({ scope, application_type }) => [scope, application_type])).toEqual([
      ['notes:read offline_access', 'native'],
      [undefined, 'native'],
      [undefined, 'web'],
    ]);
    const down = register([refuse('first'), { status: 503 }], { scopes });
    await expect(down.client).rejects.toMatchObject({ reason: 'unreachable' });
    const other = register([{ status: 400, body: { error: 'access_denied' } }], { scopes });
    await expect(other.client).rejects.toMatchObject({ reason: 'not-registered' });
    expect(other.registered()).toHaveLength(1);
  });
});

test('throws the right error for an unusable response', async () => {
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

test('includes the description of the server, cleaned', async () => {
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

test('quotes no secret in an error', async () => {
  const body = { client_id: 'made', client_secret: 's3cret-value', redirect_uris: [web] };
  const failure = await failureOf(answered(body));
  expect(failure).toMatchObject({
    reason: 'not-registered',
    message: expect.stringContaining(
      `with the redirect URIs ${web}, and users cannot return to the client there`,
    ),
  });
  expect(allTextsOf(failure)).not.toContain('s3cret-value');
});

test('accepts redirect URIs in another spelling', async () => {
  const interaction = { redirectUris: ['http://localhost:3000', web], applicationType: 'native' } as const;
  const redirect_uris = [web, 'HTTP://localhost:3000/', 'https://more.example/'];
  await expect(answered({ client_id: 'made', redirect_uris }, { interaction })).resolves.toMatchObject({
    clientId: 'made',
  });
});

const made: Scripted = { status: 201, body: { client_id: 'made' } };
const refused = (error: string): Scripted => ({ status: 400, body: { error } });

test('tries the other application type once if that may help', async () => {
  const native = (uri: string): Asked => ({
    interaction: { redirectUris: [uri], applicationType: 'native' },
  });
  const site = (uri: string): Asked => ({ interaction: { redirectUris: [uri], applicationType: 'web' } });
  const table: readonly (readonly [string, Asked, readonly string[]])[] = [
    ['invalid_client_metadata', native(loopback), ['native', 'web']],
    ['invalid_client_metadata', site(web), ['web', 'native']],
    ['invalid_redirect_uri', native(web), ['native', 'web']],
    ['invalid_redirect_uri', site('http://localhost/x'), ['web', 'native']],
    // These redirect URIs are not possible for the other type.
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

test('throws the first refusal if the other type is refused too, and a server failure at once', async () => {
  const twice = register([refused('invalid_client_metadata'), refused('invalid_redirect_uri')]);
  await expect(twice.client).rejects.toMatchObject({ oauthError: 'invalid_client_metadata' });
  expect(twice.kinds()).toEqual(['native', 'web']);
  const broken = register([refused('invalid_client_metadata'), { status: 500 }]);
  await expect(broken.client).rejects.toMatchObject({ reason: 'unreachable' });
});
