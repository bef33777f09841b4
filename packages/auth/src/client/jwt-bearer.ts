import { optionRules } from '@tenon/mcp-session/internal';
import { type AssertionSource, JwtBearerGrant } from './jwt-bearer-grant.js';
import { OauthProvider } from './oauth-provider.js';
import { credentialRules, type OwnCredentials, requireCredentials } from './own-credentials.js';
import { type ProviderOptions, requireProviderOptions } from './provider-options.js';

/** Who vouches for a program. */
export interface JwtBearerOptions extends ProviderOptions, Partial<OwnCredentials> {
  /**
   * Gives a JSON Web Token that says who the program is, such as the one its platform issues for `issuer` as the audience.
   * Asked each time a token is needed, and never again for one that was refused.
   */
  readonly assertion: AssertionSource;
  /**
   * The authorization server that is told: it alone gets assertions. Without it that is the first one that a server names,
   * remembered in the store where there is a client id.
   */
  readonly issuer?: string | undefined;
}

/**
 * Signs in a program that somebody else vouches for, such as a workload by the identity its platform gives it.
 * https://www.rfc-editor.org/rfc/rfc7523#section-2.1
 * @throws TypeError or RangeError for options that cannot work.
 */
export function jwtBearer(options: JwtBearerOptions): OauthProvider {
  requireProviderOptions(owner, options, { ...credentialRules, assertion: optionRules.callable });
  const { assertion, clientId = '', clientSecret, key } = options;
  if (assertion === undefined) throw new TypeError(`${owner}: the function assertion is missing.`);
  if (clientId === '' && (clientSecret !== undefined || key !== undefined)) {
    throw new TypeError(`${owner}: a clientSecret or a key takes a clientId.`);
  }
  requireCredentials(owner, { ...options, clientId });
  return new OauthProvider({
    grant: new JwtBearerGrant({ ...options, clientId, owner }, assertion),
    options,
  });
}

const owner = 'jwtBearer()';
