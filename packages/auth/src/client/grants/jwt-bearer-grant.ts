import type { ClientInformation } from '../registration/client-information.js';
import type { TokenSet } from '../tokens/token-set.js';
import type { GrantRequest, GrantTools } from './grant.js';
import { type PinnedCredentials, PinnedGrant, requestPinned } from './pinned-grant.js';

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
    return requestPinned(
      { request, client, tools },
      { grant_type: this.type, assertion, scope: scopes?.join(' '), resource },
    );
  }
}
