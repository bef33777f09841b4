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

/** True for the error of a request that needs the user to sign in, or of a sign-in that failed. */
export function isSignInError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (error.name === 'AuthError') return (error as Error & { reason?: string }).reason !== 'unreachable';
  // A server that requires a token, and a host that has no provider for it.
  return error.name === 'TransportError' && (error as Error & { status?: number }).status === 401;
}
