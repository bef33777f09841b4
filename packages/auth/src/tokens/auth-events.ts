import type { AuthError } from '../auth-error.js';

/** An event of the authorization of a client, without secrets. */
export type AuthEvent = {
  /** The URL of the server, as the user wrote it. */
  readonly server: string;
} & (
  | { readonly type: 'discovered'; readonly issuer: string; readonly resource: string }
  /** Tokens are being requested; the user may have to sign in. */
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
      /** Granted scopes; undefined if unknown. */
      readonly scopes: readonly string[] | undefined;
      /** Milliseconds since 1970; undefined if unknown. */
      readonly expiresAt: number | undefined;
    }
  /** The server names another issuer than that of its tokens; the tokens are deleted. */
  | { readonly type: 'moved'; readonly from: string; readonly to: string }
  /** The authorization server does not know the dynamically registered client, which registers again. */
  | { readonly type: 'client-forgotten'; readonly issuer: string; readonly clientId: string }
  | { readonly type: 'signed-out' }
  | { readonly type: 'failed'; readonly error: AuthError }
);

/** Receives the events. Its errors are ignored. */
export type OnAuthEvent = (event: AuthEvent) => void;

/** An event without the URL of the server. */
export type WithoutServer = AuthEvent extends infer Event
  ? Event extends AuthEvent
    ? Omit<Event, 'server'>
    : never
  : never;
