import type { ClientInformation } from './client-information.js';
import type { GrantRequest, GrantTools } from './grant.js';
import { type PinnedCredentials, PinnedGrant, requestPinned } from './pinned-grant.js';
import type { TokenSet } from './token-set.js';

/** Whom an assertion is to convince, and of what. */
export interface AssertionRequest {
  /** Identifier of the authorization server: the audience of the assertion. */
  readonly issuer: string;
  /** Identifier of the server that the token is for. */
  readonly resource: string;
  /** Scopes that are asked for; undefined leaves the choice to the authorization server. */
  readonly scopes: readonly string[] | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Gives an assertion, such as what a cloud platform says of the workload. Asked once for each token. */
export type AssertionSource = (request: AssertionRequest) => string | Promise<string>;

/** `grant_type` of an assertion that is traded for a token. */
export const jwtBearerType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/**
 * A program that somebody vouches for. It tries once: an assertion that was refused is refused again.
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
      throw new TypeError('The function assertion must give a JSON Web Token, as a text that is not empty.');
    }
    return requestPinned(
      { request, client, tools },
      { grant_type: this.type, assertion, scope: scopes?.join(' '), resource },
    );
  }
}
