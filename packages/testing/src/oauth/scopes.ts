import type { Authority } from './authority.js';
import type { ScopeRequest } from './behaviour.js';
import { OauthProblem } from './oauth-problem.js';

/**
 * The scopes that are given of those asked for.
 * @param allowed - those the client may have; undefined for all.
 * @throws OauthProblem `invalid_scope` where none is left.
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
    throw new OauthProblem('invalid_scope', `None of the scopes can be had: ${asked.join(' ')}.`);
  return given;
}

/**
 * Some of the scopes that were given before; all of them where none is asked for.
 * @throws OauthProblem `invalid_scope`
 */
export function someOf(given: readonly string[], asked: readonly string[]): readonly string[] {
  const beyond = asked.filter((scope) => !given.includes(scope));
  if (beyond.length > 0) throw new OauthProblem('invalid_scope', `Never given: ${beyond.join(' ')}.`);
  return asked.length > 0 ? asked : given;
}
