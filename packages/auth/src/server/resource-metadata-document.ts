import type { ProtectSettings } from './protect-options.js';

const wellKnown = '/.well-known/oauth-protected-resource';

/** Where what a server says of itself stands: what tells the resource goes between host and path. */
export function metadataPath(resource: URL): string {
  return resource.pathname === '/' ? wellKnown : wellKnown + resource.pathname;
}

/**
 * The documents of a protected server by their paths. That of the resource stands at one path alone: what says something
 * of a resource must be fetched from where it belongs.
 * https://www.rfc-editor.org/rfc/rfc9728#section-3.3
 */
export function documentsOf(settings: ProtectSettings): ReadonlyMap<string, string> {
  const documents = new Map([[metadataPath(settings.address), JSON.stringify(metadataOf(settings))]]);
  const { authorizationServerMetadata: metadata } = settings;
  // Clients of the first revision with authorization look for it here, whatever the path of the resource.
  if (metadata !== undefined) documents.set('/.well-known/oauth-authorization-server', metadata);
  return documents;
}

/** https://www.rfc-editor.org/rfc/rfc9728#section-2 */
function metadataOf({ scopes, dpop, ...settings }: ProtectSettings): object {
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
