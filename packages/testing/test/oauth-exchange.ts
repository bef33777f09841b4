import { createHash } from 'node:crypto';
import type { UnknownObject } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JSONWebKeySet, SignJWT } from 'jose';
import type { TestAuthorizationServer } from '../src/oauth.js';

/** A verifier of the minimum length, and its challenge. */
export const verifier = 'a-verifier-that-is-long-enough-to-be-taken-by-anyone';
export const challenge: string = createHash('sha256').update(verifier).digest('base64url');

export const redirectUri = 'http://127.0.0.1/callback';
export const publicClient = { clientId: 'desk', redirectUris: [redirectUri] };
export const secretClient = { clientId: 'backend', clientSecret: 'hush', redirectUris: [redirectUri] };

type Params = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The response of an endpoint. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: UnknownObject;
}

/** Returns the URL of a valid authorization request, with the changes of a test. */
export function authorizationUrl(server: TestAuthorizationServer, changes: Params = {}): string {
  const params = {
    response_type: 'code',
    client_id: 'desk',
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'a state',
    ...changes,
  };
  return `${server.issuer}/authorize?${encoded(params)}`;
}

/** Returns the authorization response from the URL the browser is redirected to. */
export async function authorize(
  server: TestAuthorizationServer,
  changes: Params = {},
): Promise<URLSearchParams> {
  const response = await fetch(authorizationUrl(server, changes), { redirect: 'manual' });
  const location = response.headers.get('location');
  if (location === null)
    throw new Error(`no redirect to the client: ${response.status} ${await response.text()}`);
  return new URL(location).searchParams;
}

/** Sends a form to an endpoint. */
export async function post(
  server: TestAuthorizationServer,
  endpoint: string,
  { params, headers = {} }: { params: Params; headers?: Readonly<Record<string, string>> },
): Promise<Answer> {
  const response = await fetch(`${server.issuer}/${endpoint}`, {
    method: 'POST',
    headers,
    body: encoded(params),
  });
  const text = await response.text();
  const body: unknown = text.startsWith('{') ? JSON.parse(text) : { text };
  return { status: response.status, headers: response.headers, body: isObject(body) ? body : {} };
}

/** Requests a token. */
export function requestToken(
  server: TestAuthorizationServer,
  params: Params,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return post(server, 'token', { params, headers });
}

/** Exchanges a code of the public client. */
export function exchange(
  server: TestAuthorizationServer,
  code: string | null,
  changes: Params = {},
): Promise<Answer> {
  const params = { grant_type: 'authorization_code', code: code ?? '', client_id: 'desk' };
  return requestToken(server, { ...params, redirect_uri: redirectUri, code_verifier: verifier, ...changes });
}

/** Signs the public client in. Returns the body of the token response. */
export async function signIn(server: TestAuthorizationServer, changes: Params = {}): Promise<UnknownObject> {
  const response = await authorize(server, changes);
  const answer = await exchange(server, response.get('code'));
  if (answer.status !== 200) throw new Error(`no token: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Introspects a token as the client `backend`. */
export async function introspect(server: TestAuthorizationServer, token: unknown): Promise<UnknownObject> {
  const { body } = await post(server, 'introspect', {
    params: { token: String(token), client_id: 'backend', client_secret: 'hush' },
  });
  return body;
}

/** A signing key, and tokens signed with it. */
export interface Signer {
  readonly jwks: JSONWebKeySet;
  readonly thumbprint: string;
  sign(claims: UnknownObject, header?: UnknownObject): Promise<string>;
  /** A DPoP proof for the token endpoint of a server. */
  proof(server: TestAuthorizationServer, changes?: UnknownObject): Promise<string>;
}

export async function newSigner(): Promise<Signer> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  const sign = (claims: UnknownObject, header: UnknownObject = {}) =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg: 'ES256', ...header }).sign(privateKey);
  return {
    jwks: { keys: [jwk] },
    thumbprint: await calculateJwkThumbprint(jwk),
    sign,
    proof: (server, changes = {}) =>
      sign(
        {
          htm: 'POST',
          htu: `${server.issuer}/token`,
          jti: crypto.randomUUID(),
          iat: Math.floor(Date.now() / 1_000),
          ...changes,
        },
        { typ: 'dpop+jwt', jwk },
      ),
  };
}

function encoded(params: Params): URLSearchParams {
  const pairs = Object.entries(params).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((text): [string, string] => [name, text]),
  );
  return new URLSearchParams(pairs);
}
