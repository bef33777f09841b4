import type { Grant } from '../tokens/grant.js';

/** An authorization code that was issued. */
export interface AuthorizationCode {
  readonly grant: Grant;
  readonly redirectUri: string;
  readonly challenge: string;
  /** Thumbprint of the key the code is bound to. */
  readonly codeKey: string | undefined;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  used: boolean;
}
