import type { SchemaObject } from '@tenon/mcp-client';
import { closed, listOf, oneOf, text, url } from './schema-parts.js';
import { identityMembers, remoteMembers } from './server-json-schema.js';

/** The address of the schema of server cards, which is their member `$schema`. */
export const serverCardUri = 'https://static.modelcontextprotocol.io/schemas/v2/server-card.schema.json';

const icon = closed({ src: url, mimeType: text, sizes: listOf(text), theme: oneOf('light', 'dark') }, [
  'src',
]);

/** https://github.com/modelcontextprotocol/experimental-ext-server-card/blob/main/schema.ts */
export const serverCardSchema: SchemaObject = closed(
  {
    ...identityMembers,
    $schema: { type: 'string', const: serverCardUri },
    icons: listOf(icon),
    remotes: listOf(closed({ ...remoteMembers, supportedProtocolVersions: listOf(text) }, ['type', 'url'])),
  },
  ['$schema', 'name', 'description', 'version'],
);
