import { optionRules } from '@tenon/foundation';
import { type AssertionSource, JwtBearerGrant } from '../grants/jwt-bearer-grant.js';
import { credentialRules, type OwnCredentials, requireCredentials } from '../registration/own-credentials.js';
import { OauthProvider } from './oauth-provider.js';
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
