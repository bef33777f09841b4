import type { Authority } from './authority.js';
import { OauthProblem } from './http/oauth-problem.js';
import type { ScopeRequest } from './options/behaviour.js';

/**
 * Returns the scopes to grant of those requested.
 * @param allowed - those the client may have; undefined for all
 * @throws OauthProblem `invalid_scope` if none is left
 */
export function granted(
  asked: readonly string[],
  request: ScopeRequest & { readonly allowed: readonly string[] | undefined },
  { settings }: Pick<Authority, 'settings'>,
): readonly string[] {
  const { allowed, ...about } = request;
  const possible = asked.filter(
    (scope) => (settings.scopesSupported?.includes(scope) ?? true) && (allowed?.includes(scope) ?? true),
  );
  const given = settings.grantScopes?.(possible, about) ?? possible;
  if (asked.length > 0 && given.length === 0)
    throw new OauthProblem('invalid_scope', `None of the scopes can be granted: ${asked.join(' ')}.`);
  return given;
}

/**
 * Returns the requested scopes, which must have been granted before, or all granted ones if none is requested.
 * @throws OauthProblem `invalid_scope`
 */
export function someOf(given: readonly string[], asked: readonly string[]): readonly string[] {
  const beyond = asked.filter((scope) => !given.includes(scope));
  if (beyond.length > 0) throw new OauthProblem('invalid_scope', `Never given: ${beyond.join(' ')}.`);
  return asked.length > 0 ? asked : given;
}
