import { isUrl } from '@tenon/mcp-protocol/internal';
import type { Authority } from '../authority/authority.js';
import { OauthProblem } from '../http/answer.js';
import type { ScopeRequest } from '../options/behaviour.js';

type Realm = Pick<Authority, 'settings'>;

/**
 * Returns the scopes to grant of those requested.
 * @param request - `allowed` are the scopes the client may have; undefined for all
 * @throws OauthProblem `invalid_scope` if none is left
 */
export function grantedScopes(
  asked: readonly string[],
  request: ScopeRequest & { readonly allowed: readonly string[] | undefined },
  { settings }: Realm,
): readonly string[] {
  const { allowed, ...about } = request;
  const possible = asked.filter(
    (scope) => (settings.scopesSupported?.includes(scope) ?? true) && (allowed?.includes(scope) ?? true),
  );
  const given = settings.grantScopes(possible, about);
  if (asked.length > 0 && given.length === 0)
    throw new OauthProblem('invalid_scope', `None of the scopes can be granted: ${asked.join(' ')}.`);
  return given;
}

/**
 * Returns the requested scopes, which must have been granted before, or all granted ones if none is requested.
 * @throws OauthProblem `invalid_scope`
 */
export function someScopes(given: readonly string[], asked: readonly string[]): readonly string[] {
  const beyond = asked.filter((scope) => !given.includes(scope));
  if (beyond.length > 0) throw new OauthProblem('invalid_scope', `Never given: ${beyond.join(' ')}.`);
  return asked.length > 0 ? asked : given;
}

/**
 * Returns the resources a request names.
 * https://www.rfc-editor.org/rfc/rfc8707#section-2
 * @throws OauthProblem `invalid_target`
 */
export function resourcesOf(params: URLSearchParams, realm: Realm): readonly string[] {
  const { resource } = realm.settings;
  if (resource === 'ignored') return [];
  const asked = [...new Set(params.getAll('resource'))];
  if (asked.length === 0 && resource === 'required')
    throw new OauthProblem('invalid_target', 'resource is missing.');
  for (const uri of asked) requireResource(uri, realm);
  return asked;
}

/**
 * Returns the resources a request names, which must have been granted before, or all granted ones if it names none.
 * @throws OauthProblem `invalid_target`
 */
export function someResources(
  given: readonly string[],
  params: URLSearchParams,
  realm: Realm,
): readonly string[] {
  const asked = resourcesOf(params, realm);
  const beyond = given.length === 0 ? [] : asked.filter((uri) => !given.includes(uri));
  if (beyond.length > 0)
    throw new OauthProblem('invalid_target', `The grant does not cover ${beyond.join(' ')}.`);
  return asked.length > 0 ? asked : given;
}

/** @throws OauthProblem `invalid_target` if the URI is malformed or the resource is unknown */
export function requireResource(uri: string, { settings }: Realm): void {
  const shown = JSON.stringify(uri);
  if (!isUrl(uri) || uri.includes('#'))
    throw new OauthProblem('invalid_target', `${shown} is not an absolute URI without a fragment.`);
  if (settings.resources?.includes(uri) === false)
    throw new OauthProblem('invalid_target', `The resource ${shown} is unknown.`);
}
