import type { AuthProvider } from '@tenon/mcp-client';

/**
 * Returns a provider that does not prompt the user unless `mayPrompt` says so: a catalogue of many servers must not open many sign-in pages.
 */
export function quietAuth(provider: AuthProvider, mayPrompt: () => boolean): AuthProvider {
  return {
    extensions: provider.extensions,
    authorizer(server) {
      const inner = provider.authorizer(server);
      return {
        authorize: (request) => inner.authorize(request),
        challenged: (challenge) => inner.challenged({ ...challenge, mayPrompt: mayPrompt() }),
        nonce: (nonce) => inner.nonce?.(nonce),
      };
    },
  };
}

/** True for an error of authorization: the server refused the request, or it was not sent. By name, because a provider may have a copy of the class. */
export function isAuthError(error: unknown): boolean {
  return error instanceof Error && error.name === 'AuthError';
}

/** True for the error of a request that needs the user to sign in, or of a sign-in that failed. */
export function isSignInError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (isAuthError(error)) return (error as Error & { reason?: string }).reason !== 'unreachable';
  // A server that requires a token, and a host that has no provider for it.
  return error.name === 'TransportError' && (error as Error & { status?: number }).status === 401;
}
