import { optionRules } from '@tenon/foundation';
import type { ClientInformation } from '../oauth/client-information.js';
import type { GrantRequest, GrantTools } from '../oauth/grant.js';
import { credentialRules, type OwnCredentials, requireCredentials } from '../oauth/own-credentials.js';
import type { TokenSet } from '../oauth/token-set.js';
import { OauthProvider } from './oauth-provider.js';
import { type PinnedCredentials, PinnedGrant, requestPinned } from './pinned-grant.js';
import { type ProviderOptions, requireProviderOptions } from './provider-options.js';

/** Options of {@link jwtBearer}. */
export interface JwtBearerOptions extends ProviderOptions, Partial<OwnCredentials> {
  /**
   * Returns a JSON Web Token that identifies the program, such as the one that its platform issues for `issuer` as the audience.
   * Called each time a token is needed; a refused assertion is not requested again.
   */
  readonly assertion: AssertionSource;
  /**
   * The authorization server that accepts the assertions: only this one receives them. Default: the first one that a server
   * names, remembered in the store if there is a client id.
   */
  readonly issuer?: string | undefined;
}

/**
 * Authorizes a program by an assertion from a third party, such as the identity token of a workload from its platform.
 * https://www.rfc-editor.org/rfc/rfc7523#section-2.1
 * @throws TypeError or RangeError if an option is invalid.
 */
export function jwtBearer(options: JwtBearerOptions): OauthProvider {
  requireProviderOptions(owner, options, { ...credentialRules, assertion: optionRules.callable });
  const { assertion, clientId = '', clientSecret, key } = options;
  if (assertion === undefined) throw new TypeError(`${owner}: the function assertion is missing.`);
  if (clientId === '' && (clientSecret !== undefined || key !== undefined)) {
    throw new TypeError(`${owner}: a clientSecret or a key requires a clientId.`);
  }
  requireCredentials(owner, { ...options, clientId });
  return new OauthProvider({
    grant: new JwtBearerGrant({ ...options, clientId, owner }, assertion),
    options,
  });
}

const owner = 'jwtBearer()';

/** The input of an {@link AssertionSource}. */
export interface AssertionRequest {
  /** Identifier of the authorization server: the audience of the assertion. */
  readonly issuer: string;
  /** Identifier of the server that the token is for. */
  readonly resource: string;
  /** Requested scopes; undefined leaves the choice to the authorization server. */
  readonly scopes: readonly string[] | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Returns an assertion, such as the identity token that a cloud platform issues to a workload. Called once for each token. */
export type AssertionSource = (request: AssertionRequest) => string | Promise<string>;

/** The `grant_type` of an assertion that is exchanged for a token. */
export const jwtBearerType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/**
 * The grant of a program with an assertion from a third party. A refused assertion is not sent again.
 * https://www.rfc-editor.org/rfc/rfc7523#section-2.1
 */
export class JwtBearerGrant extends PinnedGrant {
  readonly type: string = jwtBearerType;
  readonly #assertion: AssertionSource;

  constructor(credentials: PinnedCredentials, assertion: AssertionSource) {
    super(credentials);
    this.#assertion = assertion;
  }

  async obtain(request: GrantRequest, client: ClientInformation, tools: GrantTools): Promise<TokenSet> {
    const { server, resource, scopes } = request;
    const target = { issuer: server.issuer, resource, scopes, signal: tools.signal };
    const assertion: unknown = await this.#assertion(target);
    if (typeof assertion !== 'string' || assertion === '') {
      throw new TypeError(
        'The function assertion must return a JSON Web Token, as a string that is not empty.',
      );
    }
    return requestPinned({ request, client, tools }, { grant_type: this.type, assertion });
  }
}
