import type { SchemaObject } from '@tenon/mcp-client';
import { closed, flag, listOf, mapOf, oneOf, short, text, url } from './schema-parts.js';

/** The version of the format of `server.json`: the date in the address of its schema. */
const serverJsonVersion: string = ['2025', '12', '11'].join('-');

/** The address of the schema of `server.json`, which is its member `$schema`. */
export const serverJsonUri: string = `https://static.modelcontextprotocol.io/schemas/${serverJsonVersion}/server.schema.json`;

/** The member of `_meta` that the official registry keeps, and its longest JSON in bytes. */
export const publisherMeta = { key: 'io.modelcontextprotocol.registry/publisher-provided', bytes: 4_096 };

/** A value that a user enters, or that is set. */
const inputMembers: Readonly<Record<string, SchemaObject>> = {
  description: text,
  isRequired: flag,
  isSecret: flag,
  format: oneOf('string', 'number', 'boolean', 'filepath'),
  default: text,
  placeholder: text,
  value: text,
  choices: listOf(text),
};

const withVariables = { ...inputMembers, variables: mapOf(closed(inputMembers)) };
const keyValue = closed({ ...withVariables, name: text }, ['name']);
const argument: SchemaObject = {
  discriminator: { propertyName: 'type' },
  oneOf: [
    {
      ...closed({ ...withVariables, type: oneOf('positional'), valueHint: text, isRepeated: flag }, ['type']),
      anyOf: [{ required: ['value'] }, { required: ['valueHint'] }],
    },
    closed({ ...withVariables, type: oneOf('named'), name: text, isRepeated: flag }, ['type', 'name']),
  ],
};

/** A URL that may have variables in braces. This version of the format accepts none at the beginning. */
const template: SchemaObject = { type: 'string', pattern: '^https?://[^\\s]+$' };

/** The members of a server that is reached by its URL. */
export const remoteMembers: Readonly<Record<string, SchemaObject>> = {
  type: oneOf('streamable-http', 'sse'),
  url: template,
  headers: listOf(keyValue),
  variables: mapOf(closed(inputMembers)),
};

const packageTransport: SchemaObject = {
  discriminator: { propertyName: 'type' },
  oneOf: [
    closed({ type: oneOf('stdio') }, ['type']),
    closed({ type: oneOf('streamable-http', 'sse'), url: template, headers: listOf(keyValue) }, [
      'type',
      'url',
    ]),
  ],
};

const packaged = closed(
  {
    registryType: text,
    registryBaseUrl: url,
    identifier: short(2_048),
    version: { ...short(255), not: { const: 'latest' } },
    fileSha256: { type: 'string', pattern: '^[a-f0-9]{64}$' },
    runtimeHint: text,
    runtimeArguments: listOf(argument),
    packageArguments: listOf(argument),
    environmentVariables: listOf(keyValue),
    transport: packageTransport,
  },
  ['registryType', 'identifier', 'transport'],
);

/** An icon that the official registry accepts. */
const icon = closed(
  {
    src: { ...url, maxLength: 255 },
    mimeType: oneOf('image/png', 'image/jpeg', 'image/jpg', 'image/svg+xml', 'image/webp'),
    sizes: listOf({ type: 'string', pattern: '^(\\d+x\\d+|any)$' }),
    theme: oneOf('light', 'dark'),
  },
  ['src'],
);

/** The members that `server.json` and a server card share. */
export const identityMembers: Readonly<Record<string, SchemaObject>> = {
  name: { type: 'string', minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
  title: short(100),
  description: short(100),
  version: short(255),
  websiteUrl: url,
  repository: closed({ url, source: text, subfolder: text, id: text }, ['url', 'source']),
  _meta: { type: 'object' },
};

/** https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/generic-server-json.md */
export const serverJsonSchema: SchemaObject = closed(
  {
    ...identityMembers,
    $schema: url,
    icons: listOf(icon),
    packages: listOf(packaged),
    remotes: listOf(closed(remoteMembers, ['type', 'url'])),
  },
  ['$schema', 'name', 'description', 'version'],
);
