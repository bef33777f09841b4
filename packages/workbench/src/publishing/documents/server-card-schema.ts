import type { SchemaObject } from '@tenon/mcp-client';
import { closed, listOf, oneOf, text, url } from './schema-parts.js';
import { identityMembers, remoteMembers } from './server-json-schema.js';

/** The address of the schema of server cards, which is their member `$schema`. */
export const serverCardUri = 'https://static.modelcontextprotocol.io/schemas/v2/server-card.schema.json';

const icon = closed({ src: url, mimeType: text, sizes: listOf(text), theme: oneOf('light', 'dark') }, [
  'src',
]);

/** A URL, or a template that begins with a variable in braces. */
const template: SchemaObject = {
  type: 'string',
  pattern: '^(https?://[^\\s]+|\\{[a-zA-Z_][a-zA-Z0-9_]*\\}[^\\s]*)$',
};

const remote = closed({ ...remoteMembers, url: template, supportedProtocolVersions: listOf(text) }, [
  'type',
  'url',
]);

/** https://github.com/modelcontextprotocol/experimental-ext-server-card/blob/main/schema.ts */
export const serverCardSchema: SchemaObject = closed(
  {
    ...identityMembers,
    $schema: { type: 'string', const: serverCardUri },
    icons: listOf(icon),
    remotes: listOf(remote),
  },
  ['$schema', 'name', 'description', 'version'],
);
