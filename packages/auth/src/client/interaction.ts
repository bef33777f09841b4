/** One sign-in that is about to begin. */
export interface SignIn {
  /** Where the user is sent back to; part of the authorization request. */
  readonly redirectUri: string;
  /**
   * Sends the user to the authorization server and waits for what he is sent back with.
   * @returns the whole address the user was sent back to. It rejects with an AuthError: `timeout`, `denied`,
   * `sign-in-needed`.
   */
  authorize(url: URL, signal: AbortSignal | undefined): Promise<URL>;
  /** Called once, whatever came of it. */
  end(): void | Promise<void>;
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
  /** Addresses to register, in the order of preference; a loopback address stands for every port of it. */
  readonly redirectUris: readonly string[];
  /** `native` for programs on a desktop, `web` for web applications. */
  readonly applicationType: 'native' | 'web';
  /** Prepares one sign-in, such as by listening for the way back. */
  begin(subject: SignInSubject): SignIn | Promise<SignIn>;
}
