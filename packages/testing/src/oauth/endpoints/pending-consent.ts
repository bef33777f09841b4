import type { RecordedAuthorizationRequest } from '../recorded-request.js';

/** An authorization request that is in order and waits for a person. */
export interface PendingAuthorization {
  readonly request: RecordedAuthorizationRequest;
  readonly state: string | undefined;
  readonly challenge: string;
  readonly nonce: string | undefined;
  /** Thumbprint of the key that the code is bound to. */
  readonly codeKey: string | undefined;
}

/** A consent page that was shown. */
export interface PendingConsent extends PendingAuthorization {
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}
