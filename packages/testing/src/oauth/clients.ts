import type { UnknownObject } from '@tenon/mcp-protocol';
import { isHttpsOrLoopback, isObject, isUrl } from '@tenon/mcp-protocol/internal';
import type { TestClient } from './behaviour.js';
import { check, rejectAs } from './messages.js';
import { redirectProblem } from './redirect-uris.js';
import { requireClient, type Settings } from './settings.js';

const invalidMetadata = 'invalid_client_metadata';

/**
 * Returns the client that a registration or a metadata document describes. Fetches the keys if there is only `jwks_uri`.
 * https://www.rfc-editor.org/rfc/rfc7591#section-2
 * @throws OauthProblem `invalid_redirect_uri` or `invalid_client_metadata`
 */
export async function readClient(
  clientId: string,
  metadata: UnknownObject,
  settings: Settings,
): Promise<TestClient> {
  const { jwks_uri: jwksUri, response_types: responseTypes = ['code'] } = metadata;
  const client = {
    clientId,
    name: metadata.client_name,
    redirectUris: metadata.redirect_uris ?? [],
    grantTypes: metadata.grant_types ?? ['authorization_code'],
    applicationType: metadata.application_type,
    authMethod: metadata.token_endpoint_auth_method ?? 'client_secret_basic',
    jwks: metadata.jwks ?? (typeof jwksUri === 'string' ? await keysAt(jwksUri, settings) : undefined),
    dpopBound: metadata.dpop_bound_access_tokens === true,
  } as TestClient;
  try {
    requireClient(client);
  } catch (cause) {
    rejectAs(invalidMetadata, 'The metadata is rejected')(cause);
  }
  const onlyCodes = [responseTypes].flat().every((type) => type === 'code');
  check(onlyCodes, invalidMetadata, 'The only supported response type is "code".');
  const { authMethod = 'none', jwks } = client;
  const methods = settings.authMethods;
  check(
    methods.includes(authMethod),
    invalidMetadata,
    `token_endpoint_auth_method must be one of ${methods.join(', ')}.`,
  );
  check(authMethod !== 'private_key_jwt' || jwks, invalidMetadata, 'private_key_jwt needs jwks or jwks_uri.');
  checkRedirectUris(client, settings);
  return client;
}

function checkRedirectUris(client: TestClient, { registration }: Settings): void {
  const { redirectUris = [], grantTypes, applicationType = 'web' } = client;
  const hasOne = redirectUris.length > 0 || !grantTypes?.includes('authorization_code');
  check(hasOne, 'invalid_redirect_uri', 'redirect_uris must contain at least one URI.');
  const type = registration === 'by-application-type' ? applicationType : 'any';
  const isKnown = type === 'any' || type === 'web' || type === 'native';
  check(isKnown, invalidMetadata, 'application_type must be "web" or "native".');
  for (const uri of redirectUris) {
    const problem = redirectProblem(uri, type);
    check(problem === undefined, 'invalid_redirect_uri', `${JSON.stringify(uri)} ${problem}.`);
  }
}

async function keysAt(uri: string, settings: Settings): Promise<UnknownObject> {
  const isSafe = isUrl(uri) && isHttpsOrLoopback(new URL(uri));
  check(isSafe, invalidMetadata, 'jwks_uri must be an https URL.');
  return fetchDocument(uri, settings).catch(rejectAs(invalidMetadata, 'The keys at jwks_uri cannot be read'));
}

/** https://www.ietf.org/archive/id/draft-ietf-oauth-client-id-metadata-document-00.html#section-3 */
export function isDocumentAddress(clientId: string): boolean {
  if (!clientId.startsWith('https://') || !isUrl(clientId)) return false;
  const { pathname, username, password } = new URL(clientId);
  const hasDots = /\/\.{1,2}(?:\/|$)/.test(clientId);
  return pathname !== '/' && username === '' && password === '' && !clientId.includes('#') && !hasDots;
}

/** Returns the client that a metadata document describes. @throws OauthProblem */
export async function clientAt(url: string, settings: Settings): Promise<TestClient> {
  const unreadable = rejectAs('invalid_client', `The document ${url} cannot be read`);
  const document = await fetchDocument(url, settings).catch(unreadable);
  check(document.client_id === url, 'invalid_client', `client_id in the document ${url} is not that URL.`);
  check(document.client_name, 'invalid_client', `The document ${url} has no client_name.`);
  const metadata = { token_endpoint_auth_method: 'none', ...document };
  return readClient(url, metadata, {
    ...settings,
    authMethods: ['none', 'private_key_jwt'],
    registration: 'open',
  });
}

/**
 * Fetches a JSON object of bounded size, without following redirects.
 * @throws Error with the reason if there is none
 */
async function fetchDocument(url: string, { fetch, bounds }: Settings): Promise<UnknownObject> {
  const { documentBytes: most, documentTime } = bounds;
  const headers = { accept: 'application/json' };
  const response = await fetch(url, {
    redirect: 'error',
    headers,
    signal: AbortSignal.timeout(documentTime),
  });
  if (response.status !== 200) throw new Error(`the status is ${response.status}`);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.byteLength;
    if (size > most) throw new Error(`it is larger than ${most} bytes`);
    pieces.push(piece);
  }
  const value: unknown = JSON.parse(Buffer.concat(pieces).toString('utf8'));
  if (!isObject(value)) throw new Error('it is not a JSON object');
  return value;
}
