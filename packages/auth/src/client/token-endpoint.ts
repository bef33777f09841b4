import { AuthError } from '../auth-error.js';
import type { OauthAnswer } from '../http/oauth-http.js';
import type { AuthorizationServer } from './authorization-server.js';
import { authenticateAt } from './client-authentication.js';
import type { ClientInformation } from './client-information.js';
import type { GrantTools } from './grant.js';
import { apart } from './scopes.js';
import { errorCode, tokenError } from './token-error.js';
import { readTokenResponse, type TokenResponse } from './token-response.js';
import type { TokenSet } from './token-set.js';

/** One request for tokens. */
export interface TokenRequest {
  readonly server: TokenEndpointOwner;
  readonly client: ClientInformation;
  /** Form fields: `grant_type` and what belongs to it. How the client authenticates is added; what is undefined is left out. */
  readonly params: Readonly<Record<string, string | undefined>>;
  /** Scopes that were asked for before, where `params.scope` does not say. */
  readonly asked?: readonly string[] | undefined;
  readonly tools: Pick<GrantTools, 'http' | 'clock' | 'dpop' | 'mayBeUnbound' | 'signal'>;
}

/** What has to be known of an authorization server to ask it for tokens. */
export type TokenEndpointOwner = Pick<
  AuthorizationServer,
  'issuer' | 'tokenEndpoint' | 'tokenEndpointAuthMethods' | 'tokenEndpointAuthSigningAlgs'
>;

/**
 * Asks a token endpoint for tokens, proving who the client is and, with `tools.dpop`, which key they are to be bound to.
 * @returns the tokens, with issuer and client; `requested` holds the scopes of `params.scope`, and what the answer does not
 * say is undefined: whoever refreshes keeps the refresh token, scopes and `requested` there were.
 * @throws AuthError `denied` when the authorization server says no (`oauthError` tells, such as `invalid_grant`),
 * `unsupported` when there is no common way to authenticate (nothing has been sent then) or the token is of a kind that was not
 * asked for, `unreachable` for what cannot be used. No text of it holds anything secret.
 * https://www.rfc-editor.org/rfc/rfc6749#section-5
 */
export async function requestTokens(request: TokenRequest): Promise<TokenSet> {
  const { server, client, params, tools } = request;
  const begun = tools.clock.now();
  const response = await askTokenEndpoint(request);
  const tokenType = tokenTypeOf(response, request);
  const requested = params.scope?.split(' ').filter((scope) => scope !== '');
  return {
    accessToken: response.token,
    tokenType,
    expiresAt: response.lifetime === undefined ? undefined : begun + response.lifetime,
    refreshToken: response.refreshToken,
    scopes: apart(response.scopes, requested ?? request.asked),
    requested,
    issuer: server.issuer,
    clientId: client.clientId,
    dpopKey: tokenType === 'DPoP' ? tools.dpop?.key : undefined,
  };
}

/** Kinds of tokens that show who may enter; others grant something else. */
const accessTokens: ReadonlySet<string> = new Set([
  'urn:ietf:params:oauth:token-type:access_token',
  'urn:ietf:params:oauth:token-type:jwt',
]);

function tokenTypeOf(
  { tokenType, issuedTokenType }: TokenResponse,
  { server, tools }: TokenRequest,
): TokenSet['tokenType'] {
  const wanted = tools.dpop === undefined ? 'Bearer' : 'DPoP';
  const origin = server.tokenEndpoint?.origin;
  if (issuedTokenType !== undefined && !accessTokens.has(issuedTokenType)) {
    throw new AuthError('unsupported', `${origin} issued something else than an access token.`);
  }
  // A token that is not bound to the key although that was asked for is one that whoever finds it can use: it is not taken
  // where somebody insists on the key.
  const type = tokenType.toLowerCase();
  if (type === wanted.toLowerCase()) return wanted;
  if (type === 'bearer' && tools.mayBeUnbound === true) return 'Bearer';
  throw new AuthError('unsupported', `${origin} issued a token that is not of the type ${wanted}.`);
}

/**
 * Asks a token endpoint for a token of any kind, and once more where it wants a nonce in the proof of the key.
 * @throws AuthError as {@link requestTokens} does, but for the kind of token.
 */
export async function askTokenEndpoint(request: TokenRequest): Promise<TokenResponse> {
  const first = await send(request);
  return read(first.wantsNonce ? await send(request) : first);
}

interface Exchange {
  readonly answer: OauthAnswer;
  readonly body: unknown;
  readonly origin: string;
  readonly secrets: readonly string[];
  /** It told a nonce to put into the proof. */
  readonly wantsNonce: boolean;
}

async function send({ server, client, params, tools }: TokenRequest): Promise<Exchange> {
  const { http, clock, dpop, signal } = tools;
  const endpoint = server.tokenEndpoint;
  if (endpoint === undefined)
    throw new AuthError('unsupported', 'The authorization server issues no tokens.');
  const authentication = await authenticateAt(server, { client, clock, endpoint });
  const proof = await dpop?.proof({ method: 'POST', url: endpoint.href });
  const answer = await http.send({
    method: 'POST',
    url: endpoint,
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...authentication.headers,
      ...(proof !== undefined && { dpop: proof }),
    },
    body: formOf({ ...params, ...authentication.params }),
    signal,
  });
  const nonce = answer.header('dpop-nonce');
  if (nonce !== undefined) dpop?.nonce(endpoint.origin, nonce);
  // Where the secret is not sent, the server may know it all the same.
  const secrets = [...authentication.secrets, client.clientSecret ?? '', ...secretParams(params)];
  const body = parsed(answer.text);
  const isRefused = answer.status === 400 || answer.status === 401;
  const wantsNonce =
    dpop !== undefined && nonce !== undefined && isRefused && errorCode(body, secrets) === 'use_dpop_nonce';
  return { answer, body, origin: endpoint.origin, secrets, wantsNonce };
}

function read(exchange: Exchange): TokenResponse {
  const { answer, body, origin } = exchange;
  // Some say what is wrong with the status of success.
  const isGranted = answer.status >= 200 && answer.status < 300 && errorCode(body, []) === undefined;
  if (!isGranted) throw tokenError(exchange);
  return readTokenResponse(body, origin);
}

function formOf(params: Readonly<Record<string, string | undefined>>): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== '') form.set(name, value);
  }
  return form.toString();
}

/** Fields whose values everybody may know; all others are secret. */
const open: ReadonlySet<string> = new Set([
  'audience',
  'client_id',
  'grant_type',
  'redirect_uri',
  'requested_token_type',
  'resource',
  'scope',
  'subject_token_type',
]);

function secretParams(params: TokenRequest['params']): readonly string[] {
  return Object.entries(params).flatMap(([name, value]) =>
    open.has(name) || value === undefined ? [] : [value],
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
