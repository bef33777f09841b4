import { AuthError } from '../auth-error.js';

/** What a request that broke rejects with: an AuthError as it is, all else as `unreachable` with the code of what happened. */
export function requestFailure(error: unknown, url: URL): AuthError {
  if (error instanceof AuthError) return error;
  const code = codeOf(error, 4);
  const message = `${url.origin} cannot be reached${code === undefined ? '' : ` (${code})`}.`;
  return new AuthError('unreachable', message, holdsAnswer(error, 4) ? {} : { cause: error });
}

/** The code of the error, or of what caused it. */
function codeOf(error: unknown, depth: number): string | undefined {
  if (!(error instanceof Error) || depth === 0) return undefined;
  const { code } = error as { readonly code?: unknown };
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code)) return code;
  return codeOf(error.cause, depth - 1);
}

/** A parser that stumbles shows what it stumbled over: it may be a secret. */
function holdsAnswer(error: unknown, depth: number): boolean {
  if (!(error instanceof Error) || depth === 0) return false;
  return 'data' in error || holdsAnswer(error.cause, depth - 1);
}
