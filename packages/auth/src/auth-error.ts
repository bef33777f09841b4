import { TransportError } from '@tenon/mcp-protocol';

/** The reason why authorization failed. The names are stable. */
export type AuthErrorReason =
  /** No metadata document names an authorization server, or none of the documents can be used. */
  | 'discovery-failed'
  /** A document, or a value in it, belongs to another server or issuer. */
  | 'mismatch'
  /** A URL that must not be used: not https, not a web address, or at an address that is not permitted. */
  | 'forbidden-address'
  /** The authorization server lacks a feature that is needed, such as PKCE or a common authentication method. */
  | 'unsupported'
  /** The client has no client id at this authorization server, or it belongs to another issuer. */
  | 'not-registered'
  /** The response to the authorization request does not match the request. */
  | 'bad-response'
  /** The user or the authorization server denied access. */
  | 'denied'
  /** The user did not finish signing in within the time limit. */
  | 'timeout'
  /** The user could not be sent to sign in: no server can listen for the redirect, or no browser can be opened. */
  | 'interaction-failed'
  /** The user has to sign in, and the application decides when. */
  | 'sign-in-needed'
  /** The server rejects every token, although everything was tried. */
  | 'refused'
  /** An authorization server or a document could not be reached, or its response is unusable. */
  | 'unreachable'
  /** The store cannot be read or written. */
  | 'storage';

/** Options of {@link AuthError}. */
export interface AuthErrorOptions {
  /** HTTP status of the protected server, for `refused`. */
  readonly status?: number;
  /** HTTP status of an authorization server, or of the request for a document. */
  readonly answerStatus?: number;
  /** The `error` of an OAuth error response, such as `invalid_grant`. */
  readonly oauthError?: string;
  /** The URL where the user signs in, for `sign-in-needed`. */
  readonly authorizationUrl?: string;
  /** True if a retry without the user cannot help; by default true for all reasons but `unreachable`. */
  readonly permanent?: boolean;
  readonly cause?: unknown;
}

/** The error of a failed authorization. Its texts never contain a token, a code or a secret. */
export class AuthError extends TransportError {
  override readonly name: string = 'AuthError';
  readonly reason: AuthErrorReason;
  /** HTTP status of an authorization server, or of the request for a document; `status` is that of the protected server. */
  readonly answerStatus: number | undefined;
  /** The `error` of an OAuth error response, such as `invalid_grant`. */
  readonly oauthError: string | undefined;
  readonly #options: AuthErrorOptions;

  constructor(reason: AuthErrorReason, message: string, options: AuthErrorOptions = {}) {
    const { status, cause } = options;
    super(message, {
      ...(status !== undefined && { status }),
      ...(cause !== undefined && { cause }),
      // Other failures stay until the user or the application acts.
      permanent: options.permanent ?? reason !== 'unreachable',
    });
    this.reason = reason;
    this.answerStatus = options.answerStatus;
    this.oauthError = options.oauthError;
    this.#options = options;
  }

  override of(call: string): AuthError {
    return authErrorOf(call, this, this.#options);
  }

  /** The URL where the user signs in, for `sign-in-needed`. Not printed with the error: it is for this user alone. */
  get authorizationUrl(): string | undefined {
    return this.#options.authorizationUrl;
  }
}

/** Returns an error with the answer and the cause of another one. */
export function changedError(
  { reason, message, permanent, answerStatus, oauthError, cause }: AuthError,
  changes: Partial<Pick<AuthError, 'reason' | 'message' | 'permanent'>>,
): AuthError {
  return new AuthError(changes.reason ?? reason, changes.message ?? message, {
    permanent: changes.permanent ?? permanent,
    ...(answerStatus !== undefined && { answerStatus }),
    ...(oauthError !== undefined && { oauthError }),
    ...(cause !== undefined && { cause }),
  });
}

// A class that names itself in its body gets another name in the bundle, and Node prints that name.
function authErrorOf(call: string, error: AuthError, options: AuthErrorOptions): AuthError {
  return new AuthError(error.reason, `${call}: ${error.message}`, options);
}
