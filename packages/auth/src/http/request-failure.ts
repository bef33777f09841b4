import { AuthError } from '../auth-error.js';

/**
 * Returns the error for a failed request: an AuthError unchanged, others as `unreachable` with their code.
 * @param proxy - the origin of the proxy that the request was sent to.
 */
export function requestFailure(error: unknown, url: URL, proxy?: string): AuthError {
  if (error instanceof AuthError) return error;
  const refusal = /^Proxy response \((\d+)\)/.exec(error instanceof Error ? error.message : '')?.[1];
  const code = refusal === undefined ? codeOf(error, 4) : `the proxy answered HTTP ${refusal}`;
  const way = proxy === undefined ? '' : ` through the proxy ${proxy}`;
  const message = `${url.origin} cannot be reached${way}${code === undefined ? '' : ` (${code})`}.`;
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
