import type { UnknownObject } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { JSONWebKeySet } from 'jose';
import { OauthProblem } from '../http/answer.js';
import { redirectProblem } from '../http/redirect-uris.js';
import type { TestClient, TestClientAuthMethod } from '../options/behaviour.js';

/** A client described by its metadata. */
export type ClientFacts = Omit<TestClient, 'clientId' | 'clientSecret'>;

/** Rules for client metadata. */
export interface MetadataRules {
  readonly authMethods: readonly TestClientAuthMethod[];
  /** True if redirect URIs must fit the application type. */
  readonly byType: boolean;
}

/**
 * Reads client metadata from a registration or a metadata document.
 * https://www.rfc-editor.org/rfc/rfc7591#section-2
 * @throws OauthProblem `invalid_redirect_uri` or `invalid_client_metadata`
 */
export function readClientMetadata(
  metadata: UnknownObject,
  { authMethods, byType }: MetadataRules,
): ClientFacts {
  const grantTypes = texts(metadata, 'grant_types') ?? ['authorization_code'];
  const applicationType = text(metadata, 'application_type');
  const redirectUris = texts(metadata, 'redirect_uris') ?? [];
  if (redirectUris.length === 0 && grantTypes.includes('authorization_code'))
    throw new OauthProblem('invalid_redirect_uri', 'redirect_uris must contain at least one URI.');
  const kind = byType ? typeOf(applicationType) : 'any';
  for (const uri of redirectUris) {
    const problem = redirectProblem(uri, kind);
    if (problem !== undefined)
      throw new OauthProblem('invalid_redirect_uri', `${JSON.stringify(uri)} ${problem}.`);
  }
  if (texts(metadata, 'response_types')?.some((type) => type !== 'code'))
    throw invalid('The only supported response type is "code".');
  const jwks = keysOf(metadata);
  return {
    name: text(metadata, 'client_name'),
    redirectUris,
    grantTypes,
    applicationType,
    authMethod: authMethodOf(metadata, authMethods),
    ...(jwks !== undefined && { jwks }),
    dpopBound: metadata.dpop_bound_access_tokens === true,
  };
}

function typeOf(applicationType = 'web'): 'web' | 'native' {
  if (applicationType === 'web' || applicationType === 'native') return applicationType;
  throw invalid('application_type must be "web" or "native".');
}

function authMethodOf(metadata: UnknownObject, known: readonly TestClientAuthMethod[]): TestClientAuthMethod {
  const asked = text(metadata, 'token_endpoint_auth_method') ?? 'client_secret_basic';
  const found = known.find((method) => method === asked);
  if (found === undefined) throw invalid(`token_endpoint_auth_method must be one of ${known.join(', ')}.`);
  if (found === 'private_key_jwt' && metadata.jwks === undefined && metadata.jwks_uri === undefined)
    throw invalid('private_key_jwt needs jwks or jwks_uri.');
  return found;
}

function keysOf({ jwks }: UnknownObject): JSONWebKeySet | undefined {
  if (jwks === undefined) return undefined;
  if (isObject(jwks) && Array.isArray(jwks.keys)) return { keys: jwks.keys };
  throw invalid('jwks must be a JWK Set.');
}

function text(metadata: UnknownObject, name: string): string | undefined {
  const value = metadata[name];
  if (value === undefined || typeof value === 'string') return value;
  throw invalid(`${name} must be a string.`);
}

function texts(metadata: UnknownObject, name: string): readonly string[] | undefined {
  const value = metadata[name];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value;
  throw invalid(`${name} must be a list of strings.`);
}

export function invalid(description: string): OauthProblem {
  return new OauthProblem('invalid_client_metadata', description);
}
