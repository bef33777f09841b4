import type { AuthorizationServer } from '../discovery/authorization-server.js';
import type { GrantTools } from '../grants/grant.js';
import type { Interaction } from '../sign-in/interaction.js';
import type { ClientIdentity } from './client-identity.js';

/** The part of an {@link Interaction} that a registration declares. */
export type ReturnPath = Pick<Interaction, 'redirectUris' | 'urisToRegister' | 'accepts' | 'applicationType'>;

/** The input of {@link obtainClient}. */
export interface ClientRequest {
  readonly server: AuthorizationServer;
  readonly identity: ClientIdentity;
  /** The grant that the client is for, such as `authorization_code`. */
  readonly grantType: string;
  readonly interaction: ReturnPath;
  /** Scopes that the client is going to request, if they are known. */
  readonly scopes?: readonly string[] | undefined;
  readonly tools: Pick<GrantTools, 'http' | 'store' | 'clock' | 'signal'>;
}
