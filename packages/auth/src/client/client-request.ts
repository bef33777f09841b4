import type { AuthorizationServer } from './authorization-server.js';
import type { ClientIdentity } from './client-identity.js';
import type { GrantTools } from './grant.js';
import type { Interaction } from './interaction.js';

/** Which client is wanted. */
export interface ClientRequest {
  readonly server: AuthorizationServer;
  readonly identity: ClientIdentity;
  /** What it is going to do, such as `authorization_code`. */
  readonly grantType: string;
  readonly interaction: Pick<Interaction, 'redirectUris' | 'applicationType'>;
  /** Scopes that it is going to ask for, as far as that is known. */
  readonly scopes?: readonly string[] | undefined;
  readonly tools: Pick<GrantTools, 'http' | 'store' | 'clock' | 'signal'>;
}
