import { grantTypes } from '../http/form.js';
import type { AuthorizationBehaviour, LifetimeOptions } from './behaviour.js';

type WithoutDefault =
  | 'metadata'
  | 'scopesSupported'
  | 'grantScopes'
  | 'resources'
  | 'audience'
  | 'claims'
  | 'onRequest'
  | 'onToken'
  | 'tokenAnswer';

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
};

const defaults: Settings = {
  user: 'user',
  consent: false,
  iss: 'right',
  state: 'right',
  discovery: ['oauth', 'oidc-inserted', 'oidc-appended'],
  resource: 'bound',
  grantTypes: Object.values(grantTypes),
  authMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
  refreshTokens: 'rotating',
  lifetimes,
  accessTokens: 'jwt',
  dpop: 'allowed',
  dpopNonce: false,
  registration: 'open',
  clientIdDocuments: true,
  trustedIssuers: [],
  idJagClient: (clientId) => clientId,
};

/** Fills in the defaults. */
export function settingsOf(behaviour: AuthorizationBehaviour): Settings {
  return {
    ...defaults,
    ...defined(behaviour),
    lifetimes: { ...lifetimes, ...defined(behaviour.lifetimes ?? {}) },
  };
}

function defined<T extends object>(given: T): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
}
