import type { AuthenticatedClient } from '../clients/client-authentication.js';
import { OauthProblem } from '../oauth-problem.js';

/** A token request that is being answered. */
export interface TokenAsk {
  readonly form: URLSearchParams;
  /** Undefined where the request names no client. */
  readonly sender: AuthenticatedClient | undefined;
  /** Thumbprint of the key of its DPoP proof. */
  readonly boundTo: string | undefined;
}

/**
 * The client that asks.
 * @throws OauthProblem `invalid_client`
 */
export function senderOf({ sender }: TokenAsk): AuthenticatedClient {
  if (sender === undefined)
    throw new OauthProblem('invalid_client', 'The request does not say which client it is of.', {
      status: 401,
    });
  return sender;
}
