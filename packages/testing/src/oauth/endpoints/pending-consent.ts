import type { RecordedAuthorizationRequest } from '../http/recorded-request.js';

/** A valid authorization request that waits for the user's consent. */
export interface PendingAuthorization {
  readonly request: RecordedAuthorizationRequest;
  readonly state: string | undefined;
  readonly challenge: string;
  readonly nonce: string | undefined;
  /** Thumbprint of the key the code is bound to. */
  readonly codeKey: string | undefined;
}

/** A consent page sent to a browser. */
export interface PendingConsent extends PendingAuthorization {
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}
