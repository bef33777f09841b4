import type { UnknownObject } from '@tenon/mcp-client';
import { type Definition, identityOf, remoteOf } from './definition.js';
import { serverCardUri } from './server-card-schema.js';
import { headersOf, transportOf } from './server-json.js';

/**
 * Returns the server card of a server, for `GET <url>/server-card`. Experimental: the format may change.
 * @throws WorkbenchError `usage` if the server has no name in the registry.
 * @see https://github.com/modelcontextprotocol/experimental-ext-server-card
 */
export function serverCard(definition: Definition): UnknownObject {
  const { catalog, target, revisions } = definition;
  const { icons = [] } = catalog.server ?? {};
  const url = remoteOf(definition);
  return {
    $schema: serverCardUri,
    ...identityOf(definition),
    ...(icons.length > 0 && { icons }),
    ...(url !== undefined && {
      remotes: [
        { type: transportOf(target), url, ...headersOf(target), supportedProtocolVersions: [...revisions] },
      ],
    }),
  };
}
