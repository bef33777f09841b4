import { wellKnownResource } from '../discovery/resource-metadata.js';
import type { ResourceGuardSettings } from './resource-guard-options.js';

/** Returns the path of the metadata of a resource: the well-known path followed by the path of the resource. */
export function metadataPath(resource: URL): string {
  return resource.pathname === '/' ? wellKnownResource : wellKnownResource + resource.pathname;
}

/**
 * Returns the documents of a protected server by their paths. The metadata of the resource has only one path, because clients
 * must fetch it from the path that belongs to the resource.
 * https://www.rfc-editor.org/rfc/rfc9728#section-3.3
 */
export function documentsOf(settings: ResourceGuardSettings): ReadonlyMap<string, string> {
  const documents = new Map([[metadataPath(settings.address), JSON.stringify(metadataOf(settings))]]);
  const { authorizationServerMetadata: metadata } = settings;
  // Clients of revision 2025-03-26 look for it here, whatever the path of the resource is.
  if (metadata !== undefined) documents.set('/.well-known/oauth-authorization-server', metadata);
  return documents;
}

/** https://www.rfc-editor.org/rfc/rfc9728#section-2 */
function metadataOf({ scopes, dpop, ...settings }: ResourceGuardSettings): object {
  return {
    resource: settings.resource,
    authorization_servers: settings.authorizationServers,
    scopes_supported: scopes.supported,
    bearer_methods_supported: ['header'],
    resource_name: settings.resourceName,
    resource_documentation: settings.resourceDocumentation,
    dpop_signing_alg_values_supported: dpop?.algs,
    dpop_bound_access_tokens_required: dpop === undefined ? undefined : settings.dpopRequired,
  };
}
