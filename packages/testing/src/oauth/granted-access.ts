import { isUrl } from '@tenon/mcp-protocol/internal';
import type { Authority, Grant } from './authority.js';
import type { ScopeRequest, TestClient } from './behaviour.js';
import { words } from './form.js';
import { check } from './messages.js';

type Realm = Pick<Authority, 'settings'>;
type Access = Pick<Grant, 'scopes' | 'resources'>;

/** Returns the access that a request names. https://www.rfc-editor.org/rfc/rfc8707#section-2 */
export function requestedAccess(params: URLSearchParams, { settings }: Realm): Access {
  const { resource } = settings;
  const resources = resource === 'ignored' ? [] : [...new Set(params.getAll('resource'))];
  check(resources.length > 0 || resource !== 'required', 'invalid_target', 'resource is missing.');
  for (const uri of resources) checkResource(uri, settings.resources);
  return { scopes: words(params.get('scope')), resources };
}

/** @param known - the known resources. Default: every resource */
export function checkResource(uri: string, known: readonly string[] = [uri]): void {
  const shown = JSON.stringify(uri);
  const isValid = isUrl(uri) && !uri.includes('#');
  check(isValid, 'invalid_target', `${shown} is not an absolute URI without a fragment.`);
  check(known.includes(uri), 'invalid_target', `The resource ${shown} is unknown.`);
}

/** Returns the requested scopes, which must have been granted before, or all granted ones if none is requested. */
export function someScopes(given: readonly string[], asked: readonly string[]): readonly string[] {
  const beyond = asked.filter((scope) => !given.includes(scope));
  check(beyond.length === 0, 'invalid_scope', `Never given: ${beyond.join(' ')}.`);
  return asked.length > 0 ? asked : given;
}

/** The same for resources. A grant without a resource covers every resource. */
export function someResources(given: readonly string[], asked: readonly string[]): readonly string[] {
  const beyond = given.length === 0 ? [] : asked.filter((uri) => !given.includes(uri));
  check(beyond.length === 0, 'invalid_target', `The grant does not cover ${beyond.join(' ')}.`);
  return asked.length > 0 ? asked : given;
}

/** The client that requests access; undefined if only an assertion identifies the caller. And the user who allows it. */
interface Parties extends Pick<Grant, 'grantType' | 'user'> {
  readonly client: TestClient | undefined;
}

/** Grants the requested access, with those of the scopes that the server supports and the client may have. */
export function newGrant(access: Access, parties: Parties, { settings }: Realm): Grant {
  const { client, user, grantType } = parties;
  const about: ScopeRequest = { clientId: client?.clientId, user, grantType };
  const limits = [settings.scopesSupported, client?.scopes].filter((limit) => limit !== undefined);
  const possible = access.scopes.filter((scope) => limits.every((limit) => limit.includes(scope)));
  const scopes = settings.grantScopes(possible, about);
  const isGranted = access.scopes.length === 0 || scopes.length > 0;
  check(isGranted, 'invalid_scope', `None of the scopes can be granted: ${access.scopes.join(' ')}.`);
  return { ...about, scopes, resources: access.resources };
}
