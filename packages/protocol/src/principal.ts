import type { JsonObject } from './json.js';

/** Who is calling, as the carrier's authentication established it. Absent where the carrier has none (stdio). */
export interface Principal {
  /** Stable identifier of the caller, unique within its issuer. */
  readonly id: string;
  /** Who vouches for the id, such as an authorization server's issuer URL. */
  readonly issuer?: string;
  /** The program that calls on the caller's behalf, as its authorization server knows it. */
  readonly clientId?: string;
  /** When what it showed expires, in milliseconds since 1970. */
  readonly expiresAt?: number;
  /** Scopes granted to the call. */
  readonly scopes?: readonly string[];
  /** Further claims for handlers to read. */
  readonly claims?: JsonObject;
}
