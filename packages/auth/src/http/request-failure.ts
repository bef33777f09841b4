import { AuthError } from '../auth-error.js';

/** Returns the error for a failed request: an AuthError unchanged, others as `unreachable` with their code. */
export function requestFailure(error: unknown, url: URL): AuthError {
  if (error instanceof AuthError) return error;
  const code = codeOf(error, 4);
  const message = `${url.origin} cannot be reached${code === undefined ? '' : ` (${code})`}.`;
  return new AuthError('unreachable', message, holdsAnswer(error, 4) ? {} : { cause: error });
}

/** Returns the code of the error, or of its cause. */
function codeOf(error: unknown, depth: number): string | undefined {
  if (!(error instanceof Error) || depth === 0) return undefined;
  const { code } = error as { readonly code?: unknown };
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code)) return code;
  return codeOf(error.cause, depth - 1);
}

/** True if the error contains a part of the response, as errors of the HTTP parser do: it may be a secret. */
function holdsAnswer(error: unknown, depth: number): boolean {
  if (!(error instanceof Error) || depth === 0) return false;
  return 'data' in error || holdsAnswer(error.cause, depth - 1);
}
