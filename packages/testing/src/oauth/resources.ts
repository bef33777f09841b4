import { isUrl } from '@tenon/mcp-protocol/internal';
import type { Authority } from './authority.js';
import { OauthProblem } from './oauth-problem.js';

type Realm = Pick<Authority, 'settings'>;

/**
 * The resources that a request names.
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
 * The resources a token is for: some of those that were allowed before, all of them where none is named.
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
    throw new OauthProblem('invalid_target', `Nobody allowed tokens for ${beyond.join(' ')}.`);
  return asked.length > 0 ? asked : given;
}

/** @throws OauthProblem `invalid_target` for what is no identifier of a resource, or of one that is not known. */
export function requireResource(uri: string, { settings }: Realm): void {
  if (!isUrl(uri) || uri.includes('#'))
    throw new OauthProblem('invalid_target', `${JSON.stringify(uri)} is no absolute URI without a fragment.`);
  if (settings.resources?.includes(uri) === false)
    throw new OauthProblem('invalid_target', `There is no resource ${JSON.stringify(uri)}.`);
}
