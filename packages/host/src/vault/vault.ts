import {
  BoundedMap,
  constantsOf,
  isRecord,
  type OptionRule,
  optionRules,
  requireOptions,
} from '@tenon/foundation';
import type { AuthEvent, AuthStore, OnAuthEvent } from '@tenon/mcp-auth/client';
import type { AuthProvider } from '@tenon/mcp-protocol';
import type { Credentials, CredentialsRequest, Vault } from '../servers/credentials.js';
import { type Keychain, VaultError } from './keychain.js';
import { withSecrets } from './secret-text.js';

/** A user who signs in at a server. */
export interface SignInRequest extends CredentialsRequest {
  readonly url: string;
  /** To pass to the provider: `oauth({ ...options, client, interaction })`. They keep its tokens apart from all others. */
  readonly options: {
    readonly account: string;
    readonly onEvent: OnAuthEvent;
    readonly store?: AuthStore;
  };
}

/** The credentials for one server. */
export interface ServerCredentials {
  /** The origin of the server, such as `https://mcp.example`. The credentials are refused to any other. Default: any. */
  readonly origin?: string;
  /**
   * Returns a provider for this user alone: `oauth`, `tokenExchange`, `passToken` or another one of `@tenon/mcp-auth`. Called once
   * for each user.
   */
  readonly auth?: (request: SignInRequest) => AuthProvider;
  /** Headers, with names of secrets in the form `${NAME}`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Variables of the program of the server, with names of secrets in the form `${NAME}`. */
  readonly env?: Readonly<Record<string, string>>;
}

/** An event of the sign-in of a user. */
export interface VaultEvent {
  readonly user: string | undefined;
  readonly server: string;
  /** A refresh that fails has the type `failed`. */
  readonly event: AuthEvent;
}

/** Options of {@link createVault}. */
export interface VaultOptions {
  /** By the name of the server in the host. */
  readonly servers?: Readonly<Record<string, ServerCredentials>>;
  /** For servers that `servers` does not name. They have no secrets in headers or variables. Default: no credentials. */
  readonly others?: Pick<ServerCredentials, 'auth'>;
  /** The sources of secrets; the first one that has a secret counts. A function returns those of a user. */
  readonly secrets?: readonly Keychain[] | ((user: string | undefined) => readonly Keychain[]);
  /** The store of the tokens of all users. Default: in memory, apart for each user and server. */
  readonly store?: AuthStore;
  readonly onEvent?: (event: VaultEvent) => void;
}

/** Providers in memory. The least recently used one is dropped, except for its stored tokens. */
const bounds = { providers: 1_000 };

const { callable, object } = optionRules;

const texts: OptionRule = {
  is: 'an object of texts',
  allows: (value) => isRecord(value) && Object.values(value).every((one) => typeof one === 'string'),
};

/**
 * Returns a vault with credentials by user, server and issuer. Those of one user never serve another, and those for one issuer are
 * never sent to another.
 * @throws TypeError or RangeError if an option is invalid.
 */
export function createVault(options: VaultOptions): Vault {
  requireOptions('createVault()', options, {
    servers: object,
    others: object,
    secrets: { is: 'a list of keychains, or a function that returns one', allows: isKeychains },
    store: object,
    onEvent: callable,
  });
  const { servers = {}, others } = options;
  for (const [name, one] of Object.entries(servers)) {
    const owner = `createVault(): the server ${JSON.stringify(name)}`;
    requireOptions(owner, one, { origin: optionRules.text, auth: callable, headers: texts, env: texts });
    const { origin } = one;
    if (origin !== undefined && !(URL.canParse(origin) && new URL(origin).origin === origin))
      throw new TypeError(`${owner}: origin must be scheme and host alone, such as https://mcp.example.`);
  }
  if (others !== undefined) requireOptions('createVault(): others', others, { auth: callable });
  return new UserVault(options);
}

class UserVault implements Vault {
  readonly #options: VaultOptions;
  readonly #servers: ReadonlyMap<string, ServerCredentials>;
  readonly #providers: BoundedMap<string, AuthProvider>;
  /** The user of each provider, so that no provider serves two. */
  readonly #users = new WeakMap<AuthProvider, string>();

  constructor(options: VaultOptions) {
    const { servers = {} } = options;
    this.#options = options;
    this.#servers = new Map(Object.entries(servers));
    this.#providers = new BoundedMap(constantsOf(bounds, options).providers);
  }

  async credentialsFor(request: CredentialsRequest): Promise<Credentials> {
    const { secrets = [], others = {} } = this.#options;
    const keychains = typeof secrets === 'function' ? secrets(request.user) : secrets;
    const own: ServerCredentials = this.#servers.get(request.server) ?? others;
    const { origin, auth, headers, env } = own;
    const owner = `the server ${JSON.stringify(request.server)}`;
    const { url } = request;
    if (origin !== undefined && url !== undefined && new URL(url).origin !== origin) {
      throw new VaultError(
        `The credentials of ${owner} are for ${origin}, and it is at ${new URL(url).origin}: nothing was sent. If that is correct, change its origin in createVault().`,
      );
    }
    return {
      ...(auth !== undefined && url !== undefined && { auth: this.#provider({ ...request, url }, auth) }),
      ...(headers !== undefined &&
        url !== undefined && { headers: await withSecrets(headers, keychains, owner) }),
      ...(env !== undefined && url === undefined && { env: await withSecrets(env, keychains, owner) }),
    };
  }

  #provider(
    request: CredentialsRequest & Pick<SignInRequest, 'url'>,
    make: NonNullable<ServerCredentials['auth']>,
  ): AuthProvider {
    const { user, server, url } = request;
    const account = JSON.stringify([user ?? null, server]);
    const key = JSON.stringify([account, new URL(url).href]);
    const held = this.#providers.get(key);
    if (held !== undefined) {
      // The least recently used one is the first that is dropped.
      this.#providers.set(key, held);
      return held;
    }
    const { store } = this.#options;
    const onEvent = (event: AuthEvent) => this.#options.onEvent?.({ user, server, event });
    const made = make({ ...request, options: { account, onEvent, ...(store !== undefined && { store }) } });
    const owner = JSON.stringify(user ?? null);
    const before = this.#users.get(made);
    if (before !== undefined && before !== owner) {
      throw new VaultError(
        `The function auth of the server ${JSON.stringify(server)} returned the provider of another user: make a new one in each call.`,
      );
    }
    this.#users.set(made, owner);
    this.#providers.set(key, made);
    return made;
  }
}

function isKeychains(value: unknown): boolean {
  if (typeof value === 'function') return true;
  return Array.isArray(value) && value.every((one) => isRecord(one) && typeof one.get === 'function');
}
