import type { AuthenticatedClient } from '../clients/client-authentication.js';
import { OauthProblem } from '../http/oauth-problem.js';

/** A token request the server is answering. */
export interface GrantRequest {
  readonly form: URLSearchParams;
  /** Undefined if the request names no client. */
  readonly sender: AuthenticatedClient | undefined;
  /** Thumbprint of the key of the DPoP proof. */
  readonly boundTo: string | undefined;
}

/**
 * Returns the client that sent the request.
 * @throws OauthProblem `invalid_client`
 */
export function senderOf({ sender }: GrantRequest): AuthenticatedClient {
  if (sender === undefined)
    throw new OauthProblem('invalid_client', 'The request does not name its client.', {
      status: 401,
    });
  return sender;
}
