import { type JsonObject, withoutControls } from '@tenon/mcp-protocol';
import { isUrl } from '@tenon/mcp-protocol/internal';
import { type OptionRule, optionRules, requireOptions } from '@tenon/mcp-session/internal';
import type { JSONWebKeySet } from 'jose';
import { isLoopbackUrl } from '../http/url-host.js';
import { publicJwk } from '../server/public-jwk.js';
import { clientIdUrlFlaw } from './client-id-url.js';
import { type ClientMetadata, clientMetadataRules } from './client-identity.js';
import { registrationMetadata } from './registration-metadata.js';

/** What a client says of itself to every authorization server that takes metadata documents. */
export interface ClientMetadataDocumentOptions extends ClientMetadata {
  /** https address that the document is served at, to the letter: the client's id. */
  readonly url: string;
  /** Where users are sent back to: https, or http on their own machine. */
  readonly redirectUris: readonly string[];
  /** By default `native` where one of the redirect URIs is on the user's own machine, else `web`. */
  readonly applicationType?: 'native' | 'web';
  /** Public keys of a client that proves itself with a key of its own. */
  readonly jwks?: JSONWebKeySet;
  /** https address of such keys. */
  readonly jwksUri?: string;
  /** Milliseconds that authorization servers may go without asking for the document again; one hour by default. */
  readonly cacheFor?: number;
}

/** A metadata document, ready to be served. */
export interface ClientMetadataDocument {
  /** Its address, which is the client's id. */
  readonly url: string;
  /** What has to be served there, with status 200 and without redirects. */
  readonly text: string;
  /** Headers to serve it with, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The path of its address, where the handler is to be mounted. */
  readonly paths: readonly string[];
  /** Answers requests for it; whoever calls it has looked at their path. */
  readonly handler: (request: Request) => Response;
}

// What authorization servers are told to read at the least.
const mostBytes = 5_120;

/**
 * The metadata document of a client, checked: serve it at its `url`, and give that as `metadataUrl` to `oauth`.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/client-registration#client-id-metadata-documents
 * @throws TypeError for what authorization servers would not take, or nobody should publish; RangeError for a document that is too large.
 */
export function clientMetadataDocument(options: ClientMetadataDocumentOptions): ClientMetadataDocument {
  requireDocumentOptions(options);
  const { url, redirectUris, jwks, jwksUri, cacheFor = 3_600_000 } = options;
  const isNative = redirectUris.some((uri) => isLoopbackUrl(new URL(uri)));
  const { applicationType = isNative ? 'native' : 'web' } = options;
  const authMethod = jwks === undefined && jwksUri === undefined ? 'none' : 'private_key_jwt';
  const use = {
    grantType: 'authorization_code',
    redirectUris,
    applicationType,
    authMethod,
    refreshes: true,
  } as const;
  const document: JsonObject = {
    client_id: url,
    ...(registrationMetadata(options, use) as JsonObject),
    ...(jwks !== undefined && { jwks: publicKeys(jwks) }),
    ...(jwksUri !== undefined && { jwks_uri: jwksUri }),
  };
  const text = JSON.stringify(document);
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > mostBytes) {
    throw new RangeError(
      `The metadata document has ${bytes} bytes; many authorization servers read ${mostBytes}.`,
    );
  }
  const headers = {
    'content-type': 'application/json',
    'cache-control': `public, max-age=${Math.floor(cacheFor / 1_000)}`,
    'x-content-type-options': 'nosniff',
  };
  const paths = [new URL(url).pathname];
  return { url, text, headers, paths, handler: (request) => respond(request, text, headers) };
}

function respond({ method }: Request, text: string, headers: Readonly<Record<string, string>>): Response {
  if (method === 'GET') return new Response(text, { headers });
  if (method === 'HEAD') return new Response(null, { headers });
  return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } });
}

const documentRules: { readonly [Name in keyof Required<ClientMetadataDocumentOptions>]: OptionRule } = {
  ...clientMetadataRules,
  url: optionRules.text,
  redirectUris: optionRules.texts,
  applicationType: { is: '"native" or "web"', allows: (value) => value === 'native' || value === 'web' },
  jwks: optionRules.object,
  jwksUri: clientMetadataRules.uri,
  cacheFor: optionRules.notNegative,
};

const owner = 'clientMetadataDocument';

function requireDocumentOptions(options: ClientMetadataDocumentOptions): void {
  requireOptions(owner, options, documentRules);
  const { url, name, redirectUris, jwks, jwksUri } = options;
  if (name === undefined) throw new TypeError(`${owner}: name is missing, which users are shown.`);
  const flaw = url === undefined ? 'is missing' : clientIdUrlFlaw(url);
  if (flaw !== undefined) throw new TypeError(`${owner}: url ${flaw}.`);
  if (redirectUris === undefined || redirectUris.length === 0) {
    throw new TypeError(`${owner}: redirectUris must name at least one address.`);
  }
  for (const uri of redirectUris) requireRedirectUri(uri);
  if (jwks !== undefined && jwksUri !== undefined) {
    throw new TypeError(`${owner}: give either jwks or jwksUri, not both.`);
  }
}

/** https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/security-considerations#communication-security */
function requireRedirectUri(uri: string): void {
  const url = isUrl(uri) ? new URL(uri) : undefined;
  const isPrivate =
    url !== undefined && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackUrl(url)));
  if (isPrivate && !uri.includes('#') && url.username === '' && url.password === '') return;
  const told = withoutControls(uri).slice(0, 200);
  throw new TypeError(
    `${owner}: the redirect URI ${told} must be https, or http on this machine, without a fragment.`,
  );
}

/** The keys with what everybody may know of them. */
function publicKeys({ keys }: JSONWebKeySet): JsonObject {
  if (!Array.isArray(keys) || keys.length === 0)
    throw new TypeError(`${owner}: jwks must have a list of keys.`);
  const published = keys.map((key) => publicJwk(key));
  if (published.includes(undefined)) {
    throw new TypeError(
      `${owner}: a key of jwks is private, or none at all: give the public part, it is going to be published.`,
    );
  }
  return { keys: published } as JsonObject;
}
