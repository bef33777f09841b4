import { optionRules } from '@tenon/foundation';
import { AuthError } from '../auth-error.js';
import type { ClientInformation } from '../oauth/client-information.js';
import type { GrantRequest, GrantTools } from '../oauth/grant.js';
import { credentialRules, type OwnCredentials, requireCredentials } from '../oauth/own-credentials.js';
import type { TokenSet } from '../oauth/token-set.js';
import { OauthProvider } from './oauth-provider.js';
import { type PinnedCredentials, PinnedGrant, requestPinned } from './pinned-grant.js';
import { type ProviderOptions, requireProviderOptions } from './provider-options.js';

/** The input of a {@link SubjectTokenSource}. */
export interface SubjectTokenRequest {
  /** Identifier of the authorization server that receives the token. */
  readonly issuer: string;
  /** Identifier of the server that the new token is for. */
  readonly resource: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Returns the access token of the user, such as the one that the user has sent to this program. It must always be that of the same
 * user.
 */
export type SubjectTokenSource = (request: SubjectTokenRequest) => string | Promise<string>;

/** Options of {@link tokenExchange}. */
export interface TokenExchangeOptions extends ProviderOptions, OwnCredentials {
  readonly subjectToken: SubjectTokenSource;
  /** The authorization server that may receive the token of the user: a server that names another one gets no token. */
  readonly issuer: string;
  /** The name of the target service at the authorization server, if it needs one besides the `resource` of the server. */
  readonly audience?: string;
}

/**
 * Authorizes the requests of a program that acts for a user: the authorization server exchanges the token of the user for one that
 * is for the server. Make one provider for each user. Tokens are stored until they expire, also if the token of the user is revoked
 * before.
 * https://www.rfc-editor.org/rfc/rfc8693#section-2.1
 * @throws TypeError or RangeError if an option is invalid.
 */
export function tokenExchange(options: TokenExchangeOptions): OauthProvider {
  requireProviderOptions(owner, options, {
    ...credentialRules,
    subjectToken: optionRules.callable,
    audience: optionRules.text,
  });
  const { subjectToken, issuer, audience, store, account } = options;
  if (subjectToken === undefined) throw new TypeError(`${owner}: the function subjectToken is missing.`);
  if (issuer === undefined) {
    throw new TypeError(
      `${owner}: issuer is missing. Set the authorization server that may receive the token of the user.`,
    );
  }
  if (store !== undefined && account === undefined) {
    throw new TypeError(`${owner}: account is missing. Users share a store: set the owner of these tokens.`);
  }
  requireCredentials(owner, options);
  const grant = new TokenExchangeGrant({ ...options, owner }, { subjectToken, audience });
  return new OauthProvider({ grant, options });
}

const owner = 'tokenExchange()';
const accessToken = 'urn:ietf:params:oauth:token-type:access_token';

/** The token of the user, and the name of the target service. */
export interface ExchangedSubject {
  readonly subjectToken: SubjectTokenSource;
  readonly audience: string | undefined;
}

/** The grant of a program with the token of a user. The token is sent only to the configured issuer, and not stored. */
export class TokenExchangeGrant extends PinnedGrant {
  readonly type = 'urn:ietf:params:oauth:grant-type:token-exchange';
  readonly #subject: ExchangedSubject;

  constructor(credentials: PinnedCredentials, subject: ExchangedSubject) {
    super(credentials, subject.audience ?? '');
    this.#subject = subject;
  }

  async obtain(request: GrantRequest, client: ClientInformation, tools: GrantTools): Promise<TokenSet> {
    const { server, resource } = request;
    const { subjectToken, audience } = this.#subject;
    const asked = { issuer: server.issuer, resource, signal: tools.signal };
    const token: unknown = await subjectToken(asked);
    if (typeof token !== 'string' || token === '')
      throw new AuthError('sign-in-needed', `${owner}: there is no token of the user to exchange.`);
    return requestPinned(
      { request, client, tools },
      {
        grant_type: this.type,
        ...{ subject_token: token, subject_token_type: accessToken, requested_token_type: accessToken },
        audience,
      },
    );
  }
}
