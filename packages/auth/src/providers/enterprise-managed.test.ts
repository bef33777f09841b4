import { describe, expect, it } from 'vitest';
import { fakeWeb, headersBy, mcpUrl } from '../../test/client/fake-web.js';
import { failureOf } from '../../test/client/grant-tools.js';
import { type EnterpriseManagedOptions, enterpriseManaged } from './enterprise-managed.js';
import type { IdentityProviderOptions } from './identity-provider.js';

const idToken = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ1c2VyLTEifQ.c2lnbmF0dXJl';
const idJag = 'eyJ0eXAiOiJvYXV0aC1pZC1qYWcrand0In0.eyJzdWIiOiJ1c2VyLTEifQ.amFn';
const issuer = 'https://idp.example';

function setUp(
  idp: Partial<IdentityProviderOptions> = {},
  given: Partial<EnterpriseManagedOptions> = {},
  metadata: object = {},
) {
  const web = fakeWeb({
    metadata: { [issuer]: { token_endpoint: 'https://tokens.idp.example/trade', ...metadata } },
    token: ({ url }) =>
      url.includes('idp.example')
        ? {
            access_token: idJag,
            token_type: 'N_A',
            issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
          }
        : { access_token: 'at-1', token_type: 'Bearer' },
  });
  const provider = enterpriseManaged({
    idp: { issuer, clientId: 'at-idp', ...idp },
    identity: () => idToken,
    client: { clientId: 'at-as', clientSecret: 'as-secret' },
    fetch: web.fetch,
    ...given,
  });
  return { ...web, provider };
}

describe('enterpriseManaged', () => {
  it('authorizes a user by the identity from the identity provider', async () => {
    const { provider, tokens } = setUp({ tokenEndpoint: new URL(`${issuer}/token`) });
    expect(await headersBy(provider)).toEqual({ authorization: 'Bearer at-1' });
    expect(tokens.map(({ url }) => url)).toEqual([`${issuer}/token`, 'https://auth.example/token']);
    expect(tokens[0]?.form).toMatchObject({
      subject_token: idToken,
      audience: 'https://auth.example',
      resource: mcpUrl.href,
      client_id: 'at-idp',
    });
    expect(tokens[1]).toMatchObject({
      form: { assertion: idJag },
      authorization: `Basic ${btoa('at-as:as-secret')}`,
    });
  });

  it('finds the token endpoint in the metadata of the identity provider', async () => {
    const { provider, tokens } = setUp({ clientSecret: 'idp-secret' });
    await headersBy(provider);
    expect(tokens[0]).toMatchObject({
      url: 'https://tokens.idp.example/trade',
      authorization: `Basic ${btoa('at-idp:idp-secret')}`,
    });
  });

  it.each([
    [undefined, `Basic ${btoa('at-idp:idp-secret')}`, undefined],
    ['client_secret_post' as const, undefined, 'idp-secret'],
  ])('authenticates at a configured token endpoint by %s', async (authMethod, authorization, secret) => {
    const tokenEndpoint = `${issuer}/token`;
    const { provider, tokens } = setUp({ tokenEndpoint, clientSecret: 'idp-secret', authMethod });
    await headersBy(provider);
    expect(tokens[0]?.authorization).toBe(authorization);
    expect(tokens[0]?.form.client_secret).toBe(secret);
  });

  it('does not send the identity for an issuer that the client is not registered at', async () => {
    const client = { clientId: 'at-as', clientSecret: 'as-secret', issuer: 'https://other.example' };
    const { provider, tokens } = setUp({}, { client });
    expect(await failureOf(headersBy(provider))).toMatchObject({
      name: 'AuthError',
      reason: 'not-registered',
    });
    expect(tokens).toEqual([]);
  });

  it('does not send the identity if the metadata is of another identity provider', async () => {
    const { provider, tokens } = setUp({}, {}, { issuer: 'https://evil.example' });
    expect(await failureOf(headersBy(provider))).toMatchObject({ name: 'AuthError', reason: 'mismatch' });
    expect(tokens).toEqual([]);
  });

  it.each<[string, object, RegExp]>([
    ['a misspelt option', { ipd: {} }, /no option "ipd"/],
    ['no identity provider', { idp: undefined }, /idp is missing/],
    ['an identity provider without an issuer', { idp: { clientId: 'c' } }, /issuer is missing/],
    ['an identity provider without a client id', { idp: { issuer } }, /idp: clientId is missing/],
    ['a misspelt option of it', { idp: { issuer, clientID: 'c' } }, /idp: there is no option "clientID"/],
    [
      'an address in the clear',
      { idp: { issuer, clientId: 'c', tokenEndpoint: 'http://idp.example/t' } },
      /tokenEndpoint must be/,
    ],
    ['no identity', { identity: undefined }, /identity is missing/],
    ['an identity that cannot be renewed', { identity: idToken }, /identity must be a function/],
    ['no client', { client: undefined }, /client is missing/],
    [
      'a misspelt option of it',
      { client: { clientId: 'c', secret: 's' } },
      /client: there is no option "secret"/,
    ],
  ])('rejects %s', (_what, given, message) => {
    const options = {
      idp: { issuer, clientId: 'at-idp' },
      identity: () => idToken,
      client: { clientId: 'at-as', clientSecret: 'as-secret' },
    };
    const make = () => enterpriseManaged({ ...options, ...given } as EnterpriseManagedOptions);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });
});
