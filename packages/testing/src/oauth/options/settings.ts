import { type OptionRule, optionRules, requireOptions, sameRule } from '@tenon/foundation';
import { defined } from '../http/answer.js';
import type {
  AuthorizationBehaviour,
  LifetimeOptions,
  TestClient,
  TestClientAuthMethod,
} from './behaviour.js';
import type { TestAuthorizationLimits, TestAuthorizationServerOptions } from './test-authorization-server.js';

/** Values of `grant_type` the token endpoint supports. */
export const grantTypes = {
  code: 'authorization_code',
  refresh: 'refresh_token',
  clientCredentials: 'client_credentials',
  jwtBearer: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  tokenExchange: 'urn:ietf:params:oauth:grant-type:token-exchange',
  device: 'urn:ietf:params:oauth:grant-type:device_code',
} as const;

type WithoutDefault = 'scopesSupported' | 'resources' | 'audience';

/** The behaviour of a server, with all defaults filled in. */
export interface Settings
  extends Required<Omit<AuthorizationBehaviour, WithoutDefault | 'lifetimes'>>,
    Pick<AuthorizationBehaviour, WithoutDefault> {
  readonly lifetimes: Required<LifetimeOptions>;
}

const lifetimes: Required<LifetimeOptions> = {
  code: 60_000,
  accessToken: 3_600_000,
  refreshToken: 86_400_000,
  idToken: 3_600_000,
  idJag: 300_000,
  deviceCode: 600_000,
};

const withSecret = ['client_secret_basic', 'client_secret_post'] as const;
const authMethods: readonly TestClientAuthMethod[] = ['none', ...withSecret, 'private_key_jwt'];

const defaults: Settings = {
  user: 'user',
  consent: false,
  iss: 'right',
  state: 'right',
  discovery: ['oauth', 'oidc-inserted', 'oidc-appended'],
  resource: 'bound',
  grantTypes: Object.values(grantTypes),
  authMethods,
  refreshTokens: 'rotating',
  lifetimes,
  accessTokens: 'jwt',
  dpop: 'allowed',
  dpopNonce: false,
  pollInterval: 5_000,
  registration: 'open',
  clientIdDocuments: true,
  trustedIssuers: [],
  idJagClient: (clientId) => clientId,
  metadata: (document) => document,
  claims: (claims) => claims,
  grantScopes: (scopes) => scopes,
  onRequest: () => undefined,
  onToken: () => undefined,
  tokenAnswer: (answer) => answer,
};

/** Fills in the defaults. */
export function settingsOf(behaviour: AuthorizationBehaviour): Settings {
  const given: { readonly lifetimes?: LifetimeOptions } = defined({ ...behaviour });
  return { ...defaults, ...given, lifetimes: { ...lifetimes, ...defined({ ...given.lifetimes }) } };
}

const { callable, flag, list, object, positive, text, texts } = optionRules;

type Rules<Options> = { readonly [Name in keyof Required<Options>]: OptionRule };

const behaviourRules: Rules<AuthorizationBehaviour> = {
  ...sameRule(
    callable,
    'metadata',
    'grantScopes',
    'claims',
    'idJagClient',
    'onRequest',
    'onToken',
    'tokenAnswer',
  ),
  ...sameRule(text, 'iss', 'state', 'audience'),
  ...sameRule(texts, 'scopesSupported', 'resources', 'grantTypes'),
  ...sameRule(flag, 'consent', 'dpopNonce', 'clientIdDocuments'),
  user: { is: 'a name or a function', allows: (value) => text.allows(value) || callable.allows(value) },
  discovery: someOf(...defaults.discovery),
  resource: oneOf('bound', 'required', 'ignored'),
  authMethods: someOf(...authMethods),
  refreshTokens: oneOf('rotating', 'lasting', 'none'),
  lifetimes: object,
  pollInterval: positive,
  accessTokens: oneOf('jwt', 'opaque'),
  dpop: oneOf('allowed', 'required', 'off'),
  registration: oneOf('open', 'by-application-type', 'off'),
  trustedIssuers: list,
};

const serverRules: Rules<TestAuthorizationServerOptions> = {
  ...behaviourRules,
  ...sameRule(callable, 'now', 'fetch', 'rest'),
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
  clients: list,
  limits: object,
};

const lifetimeRules: Rules<LifetimeOptions> = {
  ...sameRule(positive, 'code', 'accessToken', 'refreshToken', 'idToken', 'idJag', 'deviceCode'),
};

const limitRules: Rules<TestAuthorizationLimits> = {
  ...sameRule(positive, 'requests', 'entries', 'bodyBytes', 'documentBytes', 'documentTime'),
};

const clientRules: Rules<TestClient> = {
  ...sameRule(text, 'clientId', 'clientSecret', 'name', 'applicationType'),
  ...sameRule(texts, 'redirectUris', 'grantTypes', 'scopes'),
  authMethod: oneOf(...authMethods),
  jwks: object,
  dpopBound: flag,
  secretExpiresAt: optionRules.notNegative,
};

/** @throws TypeError or RangeError if a start option is invalid */
export function requireServerOptions(options: TestAuthorizationServerOptions): void {
  const owner = 'startTestAuthorizationServer';
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
  if (!client.clientId) throw new TypeError('A client of a test authorization server needs a clientId.');
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
