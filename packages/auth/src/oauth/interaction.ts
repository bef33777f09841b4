import { AuthError } from '../auth-error.js';

/** Sign-ins of one interaction that wait at the same time. */
export const mostSignIns = 32;

/** The authorization request that the user is sent to. */
export interface AuthorizationRequest {
  readonly url: URL;
  /** The `state` in the URL. A response with another `state` belongs to another sign-in: ignore it. */
  readonly state: string;
  readonly signal?: AbortSignal | undefined;
}

/** One sign-in. */
export interface SignIn {
  /** The URL that the user is redirected to afterwards; part of the authorization request. */
  readonly redirectUri: string;
  /**
   * Sends the user to the authorization server and waits for the response.
   * @returns the whole URL that the user was redirected to, also for errors of the authorization server.
   * @throws AuthError `timeout`, `denied`, `sign-in-needed`, `interaction-failed`.
   */
  authorize(request: AuthorizationRequest): Promise<URL>;
  /**
   * Called once: after success, or with the error of the sign-in. Shows the result to the user, who may be waiting for it.
   */
  end(failure?: unknown): void | Promise<void>;
}

/** The server, issuer and scopes of a sign-in, to show them to the user. */
export interface SignInSubject {
  /** Identifier of the server that requires the sign-in. */
  readonly resource: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
  /** The redirect URIs of a dynamic registration: the sign-in must use one of them. Undefined for {@link Interaction.redirectUris}. */
  readonly redirectUris?: readonly string[] | undefined;
}

/** The way that users sign in: through a browser on this machine, or through the pages of a web application. */
export interface Interaction {
  /** Redirect URIs to register, in the order of preference. A loopback address without a port covers all ports. */
  readonly redirectUris: readonly string[];
  /**
   * Returns the redirect URIs for a new registration. Default: `redirectUris`. A desktop adds one with a port, because some
   * authorization servers compare ports.
   * @throws AuthError `interaction-failed`
   */
  urisToRegister?(): Promise<readonly string[]>;
  /**
   * True if users can return to a redirect URI that an authorization server registered, possibly in place of another. Absent:
   * a registration must have each of the requested URIs.
   */
  accepts?(redirectUri: string): boolean;
  /** `native` for programs on a desktop, `web` for web applications. */
  readonly applicationType: 'native' | 'web';
  /**
   * Prepares one sign-in, for example starts a server for the redirect.
   * @throws AuthError `interaction-failed`
   */
  begin(subject: SignInSubject): SignIn | Promise<SignIn>;
  /**
   * Set if the redirect may reach another process. The sign-in is then stored instead of waited for, and the request fails with
   * `sign-in-needed`.
   */
  readonly deferred?: DeferredSignIns | undefined;
  /**
   * Set if users sign in with a code on another device, such as a phone. `begin` is not called then, and nothing is redirected.
   * https://www.rfc-editor.org/rfc/rfc8628
   */
  readonly device?:
    | {
        /** Shows the code to the user; the sign-in starts to wait when the promise resolves. */
        show(code: DeviceCode): void | Promise<void>;
        /** Milliseconds that a user may take. Default: until the code expires, 30 minutes at most. */
        readonly timeout?: number | undefined;
      }
    | undefined;
  /** Receives the URL that the user was redirected to, from the application; resolves when the user is signed in. */
  finish?(response: URL): Promise<void>;
}

/** A code that the user enters on another device, and the page for it. */
export interface DeviceCode {
  readonly subject: SignInSubject;
  /** Visible ASCII, at most 64 characters. */
  readonly userCode: string;
  /** The page where the user enters the code: https, or http on this machine. */
  readonly verificationUri: URL;
  /** The same page with the code in its URL, for a link or a QR code. The user compares the codes there. */
  readonly verificationUriComplete: URL | undefined;
  /** Milliseconds until the sign-in ends without the user. */
  readonly lifetime: number;
}

/** Options of stored sign-ins. */
export interface DeferredSignIns {
  /** A secret of the user's browser: a sign-in can be finished only in the browser where it was started. */
  readonly session: string;
  /** Milliseconds until a sign-in expires. */
  readonly lifetime: number;
}

/** Runs a function of the application, and throws its errors as AuthErrors. */
export async function runInteraction<T>(
  { signal }: { readonly signal: AbortSignal | undefined },
  task: () => T | Promise<T>,
): Promise<T> {
  try {
    return await task();
  } catch (error) {
    throw error instanceof AuthError || signal?.aborted ? error : notSent(error);
  }
}

/** Returns the error of an application that could not send the user to sign in. */
export function notSent(cause: unknown): AuthError {
  return new AuthError('interaction-failed', 'The user could not be sent to sign in; the cause says why.', {
    cause,
  });
}

/** Returns the error of a user who did not sign in within milliseconds. */
export function tooLate(ms: number): AuthError {
  return new AuthError('timeout', `The user did not sign in within ${timeText(ms)}.`);
}

/** Returns a time in milliseconds as text, such as `15 minutes`. */
export function timeText(ms: number): string {
  const [count, unit] =
    ms >= 120_000 ? [Math.round(ms / 60_000), 'minute'] : [Math.ceil(ms / 1_000), 'second'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
