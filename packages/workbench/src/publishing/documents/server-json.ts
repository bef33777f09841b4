import { secrecyOf } from '@tenon/foundation/redaction';
import type { UnknownObject } from '@tenon/mcp-client';
import {
  type DocumentSource,
  identityOf,
  programArguments,
  publicIcons,
  remoteOf,
  variablesOf,
} from './document-source.js';
import { serverCardUri } from './server-card-schema.js';
import { serverJsonUri } from './server-json-schema.js';

/**
 * Returns the `server.json` of a server, for the MCP registry: with the package, unless it is private, and the public URL.
 * @throws WorkbenchError `usage` if the server has no name in the registry.
 * @see https://modelcontextprotocol.io/registry/about
 */
export function serverJson(source: DocumentSource): UnknownObject {
  const { catalog, facts, target } = source;
  const icons = publicIcons(catalog.server?.icons);
  const remote = remoteOf(source);
  const isPackage = facts.name !== undefined && !facts.isPrivate && facts.program !== undefined;
  return {
    $schema: serverJsonUri,
    ...identityOf(source),
    ...(icons.length > 0 && { icons }),
    ...(isPackage && { packages: [npmPackage(source)] }),
    ...(remote !== undefined && {
      remotes: [{ type: transportOf(target), url: remote, ...headersOf(target) }],
    }),
  };
}

function npmPackage({ facts, target }: DocumentSource): UnknownObject {
  const variables = variablesOf(target).map(({ name, isSecret }) => ({
    ...{ name, isRequired: true },
    ...(isSecret && { isSecret }),
  }));
  const words = programArguments(target, facts).map((word) =>
    word.startsWith('-') ? namedArgument(word) : { type: 'positional', value: word },
  );
  return {
    registryType: 'npm',
    identifier: facts.name,
    version: facts.version,
    runtimeHint: 'npx',
    ...(words.length > 0 && { packageArguments: words }),
    ...(variables.length > 0 && { environmentVariables: variables }),
    transport: { type: 'stdio' },
  };
}

/** Returns an argument such as `--port=3000`. A value with a name that declares a secret is left to the user. */
function namedArgument(word: string): object {
  const [name = word, value] = word.split(/=(.*)/s);
  if (value === undefined) return { type: 'named', name };
  if (secrecyOf(name) !== undefined) return { type: 'named', name, isRequired: true, isSecret: true };
  return { type: 'named', name, value };
}

/** Returns the transport of a server with a URL. */
function transportOf(target: DocumentSource['target']): 'sse' | 'streamable-http' {
  return target.kind === 'url' && target.transport === 'sse' ? 'sse' : 'streamable-http';
}

/** Returns the headers that the server was read with, without their values. */
function headersOf(target: DocumentSource['target']): { readonly headers?: readonly object[] } {
  const names = target.kind === 'url' ? Object.keys(target.headers ?? {}).sort() : [];
  if (names.length === 0) return {};
  const headers = names.map((name) => ({
    ...{ name, isRequired: true },
    ...(secrecyOf(name) !== undefined && { isSecret: true }),
  }));
  return { headers };
}

/**
 * Returns the server card of a server, for `GET <url>/server-card`. Experimental: the format may change.
 * @throws WorkbenchError `usage` if the server has no name in the registry.
 * @see https://github.com/modelcontextprotocol/experimental-ext-server-card
 */
export function serverCard(source: DocumentSource): UnknownObject {
  const { catalog, target, revisions } = source;
  const { icons = [] } = catalog.server ?? {};
  const url = remoteOf(source);
  return {
    $schema: serverCardUri,
    ...identityOf(source),
    ...(icons.length > 0 && { icons }),
    ...(url !== undefined && {
      remotes: [
        { type: transportOf(target), url, ...headersOf(target), supportedProtocolVersions: [...revisions] },
      ],
    }),
  };
}
