import { isRecord } from '@tenon/foundation';
import type { UnknownObject } from '@tenon/json-schema/structure';
import type { OpenApiDocument } from './document/document.js';
import type { FoundOperation } from './document/operations.js';
import { Unsupported } from './document/references.js';
import { lineOf, shown, urlOf } from './document/texts.js';

const mostListed = 10;

/** Returns the URL of the API that the author chose. @throws TypeError if it cannot be a base URL, or there is none. */
export function chosenBase(
  document: OpenApiDocument,
  {
    baseUrl,
    documentServers,
  }: { readonly baseUrl?: string | URL | undefined; readonly documentServers?: boolean | undefined },
): URL | undefined {
  if (baseUrl !== undefined) {
    const url = urlOf(baseUrl);
    if (url !== undefined && isBase(url)) return url;
    throw new TypeError(
      'fromOpenApi: baseUrl must be an http or https URL without credentials, query and fragment.',
    );
  }
  if (documentServers === true) return undefined;
  const servers = serversOf(document.root.servers);
  const listed = servers
    .slice(0, mostListed)
    .map((one) => lineOf(one, 200))
    .join(', ');
  const named = servers.length === 0 ? 'The document names no server.' : `The document names ${listed}.`;
  throw new TypeError(
    `fromOpenApi: give baseUrl, the URL of the API. ${named} To trust the servers of the document, give documentServers: true.`,
  );
}

/**
 * Returns the URL to which the requests of an operation are sent.
 * @param base - the URL that the author chose; undefined if all servers are those of the document.
 * @throws Unsupported if the operation has servers of its own, and the author does not trust them.
 */
export function baseOf(
  document: OpenApiDocument,
  { operation, pathItem }: FoundOperation,
  { base, documentServers }: { readonly base: URL | undefined; readonly documentServers: boolean },
): URL {
  const own = [operation.servers, pathItem.servers].map(serversOf).find((list) => list.length > 0);
  const common = serversOf(document.root.servers);
  const isOwn =
    own !== undefined && !own.some((one) => common.includes(one) || one === base?.href.replace(/\/$/, ''));
  if (base !== undefined && !isOwn) return base;
  const [server] = own ?? common;
  if (server === undefined) throw new Unsupported('the document names no server: give baseUrl');
  if (!documentServers)
    throw new Unsupported(`it is at a server of its own, ${shown(server)}: documentServers would allow it`);
  const url = urlOf(server, base);
  if (url !== undefined && isBase(url)) return url;
  throw new Unsupported(`its server ${shown(server)} is not a whole URL: give baseUrl`);
}

function isBase({ protocol, username, password, search, hash }: URL): boolean {
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && [username, password, search, hash].every((part) => part === '');
}

/** Returns the URLs of a list of servers, with the defaults of their variables. */
function serversOf(servers: unknown): readonly string[] {
  if (!Array.isArray(servers)) return [];
  return servers.flatMap((server: unknown) => {
    if (!isRecord(server) || typeof server.url !== 'string' || server.url.length > 2_000) return [];
    const variables: UnknownObject = isRecord(server.variables) ? server.variables : {};
    const url = server.url.replace(/\{([^{}]*)\}/g, (written, name: string) => {
      const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
      return isRecord(variable) && typeof variable.default === 'string' ? variable.default : written;
    });
    return [url.replace(/\/$/, '')];
  });
}
