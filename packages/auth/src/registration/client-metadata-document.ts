import { type OptionRule, optionRules, requireOptions, withoutControls } from '@tenon/foundation';
import type { JsonObject } from '@tenon/mcp-protocol';
import { isUrl } from '@tenon/mcp-protocol/internal';
import type { JSONWebKeySet } from 'jose';
import { isLoopbackUrl } from '../http/url-host.js';
import { publicJwk } from '../oauth/public-jwk.js';
import { type ClientMetadata, clientIdUrlProblem, clientMetadataRules } from './client-identity.js';
import { deviceGrantType, registrationMetadata } from './registration-metadata.js';

/** The metadata of a client, for every authorization server that supports client id metadata documents. */
export interface ClientMetadataDocumentOptions extends ClientMetadata {
  /** https URL of the document, exactly as it is served: the client id. */
  readonly url: string;
  /** URLs that users are redirected to after sign-in: https, or http on their own machine. */
  readonly redirectUris: readonly string[];
  /** Default: `native` if a redirect URI is on the user's own machine, else `web`. */
  readonly applicationType?: 'native' | 'web';
  /** True if users may also sign in with a code on another device. Default: false. */
  readonly device?: boolean;
  /** Public keys of a client that authenticates with a private key. */
  readonly jwks?: JSONWebKeySet;
  /** https URL of such keys, instead of `jwks`. */
  readonly jwksUri?: string;
  /** Milliseconds that authorization servers may cache the document; one hour by default. */
  readonly cacheFor?: number;
}

/** A client id metadata document to serve. */
export interface ClientMetadataDocument {
  /** The URL of the document: the client id. */
  readonly url: string;
  /** The body to serve there, with status 200 and without redirects. */
  readonly text: string;
  /** Response headers, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The path of the URL, to mount the handler at. */
  readonly paths: readonly string[];
  /** Answers requests for the document. Does not check the path of the request. */
  readonly handler: (request: Request) => Response;
}

// The size that authorization servers should at least accept.
const mostBytes = 5_120;

/**
 * Checks the metadata of a client and returns its document: serve it at its `url`, and pass that as `metadataUrl` to `oauth`.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/client-registration#client-id-metadata-documents
 * @throws TypeError if authorization servers would reject the metadata, or if it contains a private key; RangeError if the
 * document is too large.
 */
export function clientMetadataDocument(options: ClientMetadataDocumentOptions): ClientMetadataDocument {
  requireDocumentOptions(options);
  const { url, redirectUris, device = false, jwks, jwksUri, cacheFor = 3_600_000 } = options;
  const isNative = redirectUris.some((uri) => isLoopbackUrl(new URL(uri)));
  const { applicationType = isNative ? 'native' : 'web' } = options;
  const authMethod = jwks === undefined && jwksUri === undefined ? 'none' : 'private_key_jwt';
  const use = {
    grantTypes: ['authorization_code', ...(device ? [deviceGrantType] : [])],
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
      `The metadata document has ${bytes} bytes; many authorization servers read at most ${mostBytes}.`,
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
  device: optionRules.flag,
  jwks: optionRules.object,
  jwksUri: clientMetadataRules.uri,
  cacheFor: optionRules.notNegative,
};

const owner = 'clientMetadataDocument';

function requireDocumentOptions(options: ClientMetadataDocumentOptions): void {
  requireOptions(owner, options, documentRules);
  const { url, name, redirectUris, jwks, jwksUri } = options;
  if (name === undefined)
    throw new TypeError(`${owner}: name is missing; authorization servers show it to users.`);
  const problem = url === undefined ? 'is missing' : clientIdUrlProblem(url);
  if (problem !== undefined) throw new TypeError(`${owner}: url ${problem}.`);
  if (redirectUris === undefined || redirectUris.length === 0) {
    throw new TypeError(`${owner}: redirectUris must contain at least one URI.`);
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
  const shown = withoutControls(uri).slice(0, 200);
  throw new TypeError(
    `${owner}: the redirect URI ${shown} must be https, or http on this machine, without a fragment.`,
  );
}

/** Returns the public members of the keys. */
function publicKeys({ keys }: JSONWebKeySet): JsonObject {
  if (!Array.isArray(keys) || keys.length === 0)
    throw new TypeError(`${owner}: jwks must have a list of keys.`);
  const published = keys.map((key) => publicJwk(key));
  if (published.includes(undefined)) {
    throw new TypeError(
      `${owner}: a key of jwks is private or malformed: pass only public keys, because they are going to be published.`,
    );
  }
  return { keys: published } as JsonObject;
}
