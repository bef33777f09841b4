import { type OptionRule, optionRules, requireOptions } from '@tenon/foundation';
import type { AuthorizationBehaviour, LifetimeOptions, TestClient } from './behaviour.js';
import type { TestAuthorizationLimits, TestAuthorizationServerOptions } from './test-authorization-server.js';

const owner = 'startTestAuthorizationServer';

const behaviourRules: Rules<AuthorizationBehaviour> = {
  user: { is: 'a name or a function', allows: (value) => isText(value) || typeof value === 'function' },
  consent: optionRules.flag,
  iss: optionRules.text,
  state: optionRules.text,
  discovery: someOf('oauth', 'oidc-inserted', 'oidc-appended'),
  metadata: optionRules.callable,
  scopesSupported: optionRules.texts,
  grantScopes: optionRules.callable,
  resources: optionRules.texts,
  resource: oneOf('bound', 'required', 'ignored'),
  audience: optionRules.text,
  grantTypes: optionRules.texts,
  authMethods: someOf('none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'),
  refreshTokens: oneOf('rotating', 'lasting', 'none'),
  lifetimes: optionRules.object,
  accessTokens: oneOf('jwt', 'opaque'),
  claims: optionRules.callable,
  dpop: oneOf('allowed', 'required', 'off'),
  dpopNonce: optionRules.flag,
  registration: oneOf('open', 'by-application-type', 'off'),
  clientIdDocuments: optionRules.flag,
  trustedIssuers: { is: 'a list', allows: Array.isArray },
  idJagClient: optionRules.callable,
  onRequest: optionRules.callable,
  onToken: optionRules.callable,
  tokenAnswer: optionRules.callable,
};

const serverRules: Rules<TestAuthorizationServerOptions> = {
  ...behaviourRules,
  host: {
    is: '127.0.0.1 or localhost: this server is for tests on one machine, and any user can sign in',
    allows: (value) => value === '127.0.0.1' || value === 'localhost',
  },
  port: {
    is: 'a port, or 0 for any',
    allows: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
  },
  path: {
    is: 'a path such as /tenant, without a slash at the end',
    allows: (value) => typeof value === 'string' && /^(?:\/[\w.~-]+)+$/.test(value),
  },
  clients: { is: 'a list', allows: Array.isArray },
  now: optionRules.callable,
  fetch: optionRules.callable,
  rest: optionRules.callable,
  limits: optionRules.object,
};

const lifetimeRules: Rules<LifetimeOptions> = {
  code: optionRules.positive,
  accessToken: optionRules.positive,
  refreshToken: optionRules.positive,
  idToken: optionRules.positive,
  idJag: optionRules.positive,
};

const limitRules: Rules<TestAuthorizationLimits> = {
  requests: optionRules.positive,
  entries: optionRules.positive,
  bodyBytes: optionRules.positive,
  documentBytes: optionRules.positive,
  documentTime: optionRules.positive,
};

const clientRules: Rules<TestClient> = {
  clientId: optionRules.text,
  clientSecret: optionRules.text,
  name: optionRules.text,
  redirectUris: optionRules.texts,
  authMethod: oneOf('none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'),
  jwks: optionRules.object,
  grantTypes: optionRules.texts,
  scopes: optionRules.texts,
  applicationType: optionRules.text,
  dpopBound: optionRules.flag,
  secretExpiresAt: optionRules.notNegative,
};

type Rules<Options> = { readonly [Name in keyof Required<Options>]: OptionRule };

/** @throws TypeError or RangeError if a start option is invalid */
export function requireServerOptions(options: TestAuthorizationServerOptions): void {
  requireOptions(owner, options, serverRules);
  requireOptions(`${owner}: lifetimes`, options.lifetimes ?? {}, lifetimeRules);
  requireOptions(`${owner}: limits`, options.limits ?? {}, limitRules);
  for (const client of options.clients ?? []) requireClient(client);
}

/** @throws TypeError or RangeError if a behaviour option is invalid */
export function requireBehaviour(changes: AuthorizationBehaviour): void {
  requireOptions('behave', changes, behaviourRules);
  requireOptions('behave: lifetimes', changes.lifetimes ?? {}, lifetimeRules);
}

/** @throws TypeError or RangeError if an option of the client is invalid */
export function requireClient(client: TestClient): void {
  requireOptions('A client of a test authorization server', client, clientRules);
  if (!isText(client.clientId))
    throw new TypeError('A client of a test authorization server needs a clientId.');
}

function oneOf(...values: readonly string[]): OptionRule {
  return { is: `one of ${values.join(', ')}`, allows: (value) => values.includes(value as string) };
}

function someOf(...values: readonly string[]): OptionRule {
  return {
    is: `a list of ${values.join(', ')}`,
    allows: (value) => Array.isArray(value) && value.every((entry) => values.includes(entry)),
  };
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
