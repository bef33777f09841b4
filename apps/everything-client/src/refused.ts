import { AuthError, type AuthErrorReason } from '@tenon/mcp-auth/client';

/**
 * Waits for an attempt to fail for the expected reason.
 * @throws Error if it succeeds, or fails for another reason.
 */
export async function refused(attempt: Promise<void>, reason: AuthErrorReason): Promise<void> {
  const error: unknown = await attempt.then(
    () => undefined,
    (cause) => cause,
  );
  if (error instanceof AuthError && error.reason === reason) return;
  const what = error === undefined ? 'the client was let in' : `it failed: ${error}`;
  throw new Error(`It had to give up because of '${reason}', and ${what}`, { cause: error });
}
