/** The authorization request that a user is sent with. */
export interface AuthorizationRequest {
  readonly url: URL;
  /** The `state` in it: what comes back without exactly this one answers nothing that was asked, and ends no wait. */
  readonly state: string;
  readonly signal?: AbortSignal | undefined;
}

/** One sign-in that is about to begin. */
export interface SignIn {
  /** Where the user is sent back to; part of the authorization request. */
  readonly redirectUri: string;
  /**
   * Sends the user to the authorization server and waits for what he is sent back with.
   * @returns the whole address the user was sent back to, errors of the authorization server included. It rejects with an
   * AuthError: `timeout`, `denied`, `sign-in-needed`, `interaction-failed`.
   */
  authorize(request: AuthorizationRequest): Promise<URL>;
  /**
   * Called once, when there are tokens, or with what went wrong instead: the user is shown how it ended, and may be waiting
   * for that.
   */
  end(failure?: unknown): void | Promise<void>;
}

/** Whom a sign-in is for, to tell the user. */
export interface SignInSubject {
  /** Identifier of the server that wants it. */
  readonly resource: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
}

/** How a user signs in: through a browser on this machine, or the pages of a web application. */
export interface Interaction {
  /** Addresses to register, in the order of preference; a loopback address without a port stands for every port of it. */
  readonly redirectUris: readonly string[];
  /** `native` for programs on a desktop, `web` for web applications. */
  readonly applicationType: 'native' | 'web';
  /**
   * Prepares one sign-in, such as by listening for the way back.
   * @throws AuthError `interaction-failed`
   */
  begin(subject: SignInSubject): SignIn | Promise<SignIn>;
  /**
   * There instead of waiting where the way back may lead to another process: what is known of a sign-in under way is kept
   * in the store, and whoever asked hears `sign-in-needed`.
   */
  readonly deferred?: DeferredSignIns | undefined;
  /** Takes what a user was sent back with, where the application has to say it; resolves when he is signed in. */
  finish?(response: URL): Promise<void>;
}

/** How sign-ins are kept until the user comes back. */
export interface DeferredSignIns {
  /** What only the browser of this user shows to the application: nobody else can finish what was begun in it. */
  readonly session: string;
  /** Milliseconds that a sign-in may take. */
  readonly lifetime: number;
}
