import { TransportError } from '@tenon/mcp-protocol';

/** Why authorization failed; each a stable name. */
export type AuthErrorReason =
  /** No document says where to sign in, or none of those there is can be used. */
  | 'discovery-failed'
  /** A document, or what it says, does not belong to the server or issuer it was asked for. */
  | 'mismatch'
  /** An address that must not be used: not https, not public, not a web address. */
  | 'forbidden-address'
  /** The authorization server lacks what is needed, such as PKCE or a common way to authenticate. */
  | 'unsupported'
  /** No client id can be had there, or the one there is belongs to another issuer. */
  | 'not-registered'
  /** The response to the authorization request is not the one that was asked for. */
  | 'bad-response'
  /** The user, or the authorization server, said no. */
  | 'denied'
  /** Nobody finished signing in within the time allowed. */
  | 'timeout'
  /** The user could not be sent to sign in: nothing can listen for the way back, or no browser may open the page. */
  | 'interaction-failed'
  /** Somebody has to sign in, and the application wants to decide when. */
  | 'sign-in-needed'
  /** The server goes on refusing although everything was tried. */
  | 'refused'
  /** An authorization server, or a document, could not be reached, or gave what cannot be used. */
  | 'unreachable'
  /** What was kept cannot be read or written. */
  | 'storage';

/** More about an {@link AuthError}. */
export interface AuthErrorOptions {
  /** HTTP status of the server that wants authorization, where it goes on refusing. */
  readonly status?: number;
  /** HTTP status of an authorization server, or of a document. */
  readonly answerStatus?: number;
  /** The `error` of an OAuth error response, such as `invalid_grant`. */
  readonly oauthError?: string;
  /** Where the user has to go, for `sign-in-needed`. */
  readonly authorizationUrl?: string;
  /** Trying again by itself would not help, or would ask a person again; by default for all but `unreachable`. */
  readonly permanent?: boolean;
  readonly cause?: unknown;
}

/** Authorization failed. Its texts never hold a token, a code or a secret. */
export class AuthError extends TransportError {
  override readonly name: string = 'AuthError';
  readonly reason: AuthErrorReason;
  /** HTTP status that an authorization server, or a document, was answered with; `status` is that of the server itself. */
  readonly answerStatus: number | undefined;
  /** The `error` of an OAuth error response, such as `invalid_grant`. */
  readonly oauthError: string | undefined;
  readonly #options: AuthErrorOptions;

  constructor(reason: AuthErrorReason, message: string, options: AuthErrorOptions = {}) {
    const { status, cause } = options;
    super(message, {
      ...(status !== undefined && { status }),
      ...(cause !== undefined && { cause }),
      // All else stays as it is until a person, or the application, does something about it.
      permanent: options.permanent ?? reason !== 'unreachable',
    });
    this.reason = reason;
    this.answerStatus = options.answerStatus;
    this.oauthError = options.oauthError;
    this.#options = options;
  }

  override of(call: string): AuthError {
    return new AuthError(this.reason, `${call}: ${this.message}`, this.#options);
  }

  /** Where the user has to go, for `sign-in-needed`. Not among what is printed of the error: it is for this user alone. */
  get authorizationUrl(): string | undefined {
    return this.#options.authorizationUrl;
  }
}
