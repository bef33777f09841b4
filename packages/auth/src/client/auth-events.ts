import type { AuthError } from '../auth-error.js';

/** What happens while a program is authorized. Nothing in it is secret. */
export type AuthEvent = {
  /** Address of the server, as the user named it. */
  readonly server: string;
} & (
  | { readonly type: 'discovered'; readonly issuer: string; readonly resource: string }
  /** Tokens are asked for; a person may be asked to sign in. */
  | {
      readonly type: 'signing-in';
      readonly issuer: string;
      readonly clientId: string;
      readonly scopes: readonly string[] | undefined;
    }
  | {
      readonly type: 'signed-in' | 'refreshed';
      readonly issuer: string;
      readonly clientId: string;
      /** Scopes that were granted, where anybody said. */
      readonly scopes: readonly string[] | undefined;
      /** Milliseconds since 1970, where anybody said. */
      readonly expiresAt: number | undefined;
    }
  /** The server names another issuer than the one its tokens are from; those are forgotten. */
  | { readonly type: 'moved'; readonly from: string; readonly to: string }
  /** The authorization server does not know the client that registered there; it registers anew. */
  | { readonly type: 'client-forgotten'; readonly issuer: string; readonly clientId: string }
  | { readonly type: 'signed-out' }
  | { readonly type: 'failed'; readonly error: AuthError }
);

/** Hears of what happens. What it throws is ignored. */
export type OnAuthEvent = (event: AuthEvent) => void;
