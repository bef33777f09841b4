import {
  constantsOf,
  isRecord,
  type OptionRule,
  optionRules,
  requireOptions,
  sameRule,
} from '@tenon/foundation';
import type { AuthorizationBehaviour, LifetimeOptions, TestClient } from './behaviour.js';
import { defined } from './messages.js';
import type { TestAuthorizationServerOptions } from './test-authorization-server.js';

/** Values of `grant_type` the token endpoint supports. */
export const grantTypes = {
  code: 'authorization_code',
  refresh: 'refresh_token',
  clientCredentials: 'client_credentials',
  jwtBearer: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  tokenExchange: 'urn:ietf:params:oauth:grant-type:token-exchange',
  device: 'urn:ietf:params:oauth:grant-type:device_code',
} as const;

/** Options by name, each with its rule and its default. */
type OptionTable<Options> = {
  readonly [Name in keyof Required<Options>]: OptionRule & { readonly preset?: Required<Options>[Name] };
};

const { callable, flag, list, object, positive, text, texts } = optionRules;

const lifetimes: Required<LifetimeOptions> = {
  code: 60_000,
  accessToken: 3_600_000,
  refreshToken: 86_400_000,
  idToken: 3_600_000,
  idJag: 300_000,
  deviceCode: 600_000,
};

const bounds = {
  /** Requests that are kept; older ones are dropped. */
  requests: 1_000,
  /** Clients, codes, tokens and so on, each; older ones are dropped. */
  entries: 10_000,
  /** Bytes of one request; a larger one is answered with 413. */
  bodyBytes: 65_536,
  /** Bytes of a client's metadata document; with a larger one the client is unknown. */
  documentBytes: 65_536,
  /** Milliseconds to fetch a client's metadata document. */
  documentTime: 5_000,
};

const authMethods = someOf('none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt');

const behaviour: OptionTable<AuthorizationBehaviour> = {
  user: {
    is: 'a name or a function',
    allows: (value) => text.allows(value) || callable.allows(value),
    preset: 'user',
  },
  consent: { ...flag, preset: false },
  iss: { ...text, preset: 'right' },
  state: { ...text, preset: 'right' },
  discovery: someOf('oauth', 'oidc-inserted', 'oidc-appended'),
  metadata: { ...callable, preset: (document) => document },
  scopesSupported: texts,
  grantScopes: { ...callable, preset: (scopes) => scopes },
  resources: texts,
  resource: oneOf('bound', 'required', 'ignored'),
  audience: text,
  grantTypes: { ...texts, preset: Object.values(grantTypes) },
  authMethods,
  refreshTokens: oneOf('rotating', 'lasting', 'none'),
  lifetimes: { ...object, preset: lifetimes },
  pollInterval: { ...positive, preset: 5_000 },
  accessTokens: oneOf('jwt', 'opaque'),
  claims: { ...callable, preset: (claims) => claims },
  dpop: oneOf('allowed', 'required', 'off'),
  dpopNonce: { ...flag, preset: false },
  registration: oneOf('open', 'by-application-type', 'off'),
  clientIdDocuments: { ...flag, preset: true },
  trustedIssuers: { ...list, preset: [] },
  idJagClient: { ...callable, preset: (clientId) => clientId },
  onRequest: { ...callable, preset: () => undefined },
  onToken: { ...callable, preset: () => undefined },
  tokenAnswer: { ...callable, preset: (answer) => answer },
};

const serverOptions: OptionTable<TestAuthorizationServerOptions> = {
  ...behaviour,
  host: {
    is: '127.0.0.1 or localhost: this server is for tests on one machine, and any user can sign in',
    allows: (value) => value === '127.0.0.1' || value === 'localhost',
    preset: '127.0.0.1',
  },
  port: {
    is: 'a port, or 0 for any',
    allows: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
    preset: 0,
  },
  path: {
    is: 'a path such as /tenant, without a slash at the end',
    allows: (value) => typeof value === 'string' && /^(?:\/[\w.~-]+)+$/.test(value),
    preset: '',
  },
  clients: { ...list, preset: [] },
  now: { ...callable, preset: Date.now },
  fetch: { ...callable, preset: (url, init) => fetch(url, init) },
  rest: callable,
};

const client: OptionTable<TestClient> = {
  ...sameRule(text, 'clientId', 'clientSecret', 'name', 'applicationType'),
  ...sameRule(texts, 'redirectUris', 'grantTypes', 'scopes'),
  authMethod: oneOf(...authMethods.preset),
  jwks: { is: 'a JWK Set', allows: (value) => isRecord(value) && Array.isArray(value.keys) },
  dpopBound: flag,
  secretExpiresAt: optionRules.notNegative,
};

type WithoutDefault = 'scopesSupported' | 'resources' | 'audience' | 'rest';

/** The options of a server, with all defaults filled in. */
export interface Settings
  extends Required<Omit<TestAuthorizationServerOptions, WithoutDefault | 'lifetimes'>>,
    Pick<TestAuthorizationServerOptions, WithoutDefault> {
  readonly lifetimes: Required<LifetimeOptions>;
  readonly bounds: typeof bounds;
}

const presets = Object.entries(serverOptions).map(([name, { preset }]) => [name, preset] as const);

/** Fills in the defaults. */
export function settingsOf(options: TestAuthorizationServerOptions): Settings {
  return {
    ...Object.fromEntries(presets),
    ...defined({ ...options }),
    lifetimes: { ...lifetimes, ...defined({ ...options.lifetimes }) },
    bounds: constantsOf(bounds, options),
  } as Settings;
}

/** @throws TypeError or RangeError if a start option is invalid */
export function requireServerOptions(options: TestAuthorizationServerOptions): void {
  const owner = 'startTestAuthorizationServer';
  requireOptions(owner, options, serverOptions);
  requirePositive(`${owner}: lifetimes`, options.lifetimes, lifetimes);
  options.clients?.forEach(requireClient);
}

/** @throws TypeError or RangeError if a behaviour option is invalid */
export function requireBehaviour(changes: AuthorizationBehaviour): void {
  requireOptions('behave', changes, behaviour);
  requirePositive('behave: lifetimes', changes.lifetimes, lifetimes);
}

function requirePositive(owner: string, given: object | undefined, known: object): void {
  requireOptions(owner, given ?? {}, new Map(Object.keys(known).map((name) => [name, positive])));
}

/** @throws TypeError or RangeError if an option of the client is invalid */
export function requireClient(options: TestClient): void {
  requireOptions('A client of a test authorization server', options, client);
  if (!options.clientId) throw new TypeError('A client of a test authorization server needs a clientId.');
}

/** An option with one of these values, by default the first. */
function oneOf<Value extends string>(first: Value, ...others: readonly Value[]) {
  const values: readonly unknown[] = [first, ...others];
  return {
    is: `one of ${values.join(', ')}`,
    allows: (value: unknown) => values.includes(value),
    preset: first,
  };
}

/** An option with a list of these values, by default all. */
function someOf<Value extends string>(...values: readonly [Value, ...Value[]]) {
  return {
    is: `a list of ${values.join(', ')}`,
    allows: (value: unknown) => Array.isArray(value) && value.every((entry) => values.includes(entry)),
    preset: values,
  };
}
