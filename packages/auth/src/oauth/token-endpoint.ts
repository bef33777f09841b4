import { jsonIn } from '@tenon/foundation';
import { AuthError } from '../auth-error.js';
import type { AuthorizationServer } from '../discovery/authorization-server.js';
import { splitScopes } from '../discovery/scopes.js';
import type { OauthResponse } from '../http/oauth-http.js';
import { sendForm } from './client-authentication.js';
import type { ClientInformation } from './client-information.js';
import type { GrantTools } from './grant.js';
import { errorCode, type RefusedAnswer, tokenError } from './token-error.js';
import { readTokenResponse, type TokenResponse } from './token-response.js';
import type { TokenSet } from './token-set.js';

/** One token request. */
export interface TokenRequest {
  readonly server: TokenEndpointOwner;
  readonly client: ClientInformation;
  /** Form fields: `grant_type` and its parameters. Undefined values are left out; client authentication is added. */
  readonly params: Readonly<Record<string, string | undefined>>;
  /** Scopes that were requested before, if `params.scope` is undefined. */
  readonly asked?: readonly string[] | undefined;
  readonly tools: Pick<GrantTools, 'http' | 'clock' | 'dpop' | 'mayBeUnbound' | 'signal'>;
  /** The request in errors. Default: `token request`. */
  readonly label?: string;
}

/** The part of an authorization server that a token request needs. */
export type TokenEndpointOwner = Pick<
  AuthorizationServer,
  'issuer' | 'tokenEndpoint' | 'tokenEndpointAuthMethods' | 'tokenEndpointAuthSigningAlgs'
>;

/**
 * Requests tokens, with client authentication and, if `tools.dpop` is set, a DPoP proof.
 * @returns the tokens with their issuer and client. `requested` has the scopes of `params.scope`. Values that the response does
 * not contain are undefined: after a refresh, keep the old refresh token, `scopes` and `requested`.
 * @throws AuthError `denied` if the authorization server refuses (`oauthError` has its code, such as `invalid_grant`),
 * `unsupported` if there is no common authentication method (nothing is sent then) or the token has another type than requested,
 * `unreachable` if the response is unusable. Its text never contains a secret.
 * https://www.rfc-editor.org/rfc/rfc6749#section-5
 */
export async function requestTokens(request: TokenRequest): Promise<TokenSet> {
  const { server, client, params, tools } = request;
  const begun = tools.clock.now();
  const response = await postTokenRequest(request);
  const tokenType = tokenTypeOf(response, request);
  const requested = params.scope?.split(' ').filter((scope) => scope !== '');
  return {
    accessToken: response.token,
    tokenType,
    expiresAt: response.lifetime === undefined ? undefined : begun + response.lifetime,
    refreshToken: response.refreshToken,
    scopes: splitScopes(response.scopes, requested ?? request.asked),
    requested,
    issuer: server.issuer,
    clientId: client.clientId,
    dpopKey: tokenType === 'DPoP' ? tools.dpop?.key : undefined,
  };
}

/** Types of tokens that grant access; tokens of other types are for other purposes. */
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
    throw new AuthError('unsupported', `${origin} issued a token that is not an access token.`, granted);
  }
  // Anyone who finds a bearer token can use it, so it is rejected if a bound token is required.
  const type = tokenType.toLowerCase();
  if (type === wanted.toLowerCase()) return wanted;
  if (type === 'bearer' && tools.mayBeUnbound === true) return 'Bearer';
  throw new AuthError('unsupported', `${origin} issued a token that is not of the type ${wanted}.`, granted);
}

const granted = { answerStatus: 200 };

/**
 * Requests a token of any type; repeats the request if the server requires a nonce in the DPoP proof.
 * @throws AuthError as {@link requestTokens} does, except for the type of the token.
 */
export async function postTokenRequest(request: TokenRequest): Promise<TokenResponse> {
  const { body, origin } = await postForm(request);
  return readTokenResponse(body, origin);
}

/**
 * Sends the form of a token request, or of a similar one.
 * @returns the body of a response without an error; undefined if it is not JSON.
 * @throws AuthError as {@link postTokenRequest} does, except for a body that has no token.
 */
export async function postForm(request: TokenRequest): Promise<Pick<Exchange, 'body' | 'origin'>> {
  const first = await send(request);
  const exchange = first.wantsNonce ? await send(request) : first;
  const { answer, body } = exchange;
  // Some servers send errors with a status of success.
  const isGranted = answer.status >= 200 && answer.status < 300 && errorCode(body, []) === undefined;
  if (isGranted) return exchange;
  throw tokenError(exchange);
}

interface Exchange extends RefusedAnswer {
  readonly answer: OauthResponse;
  /** True if the response has a nonce for the proof. */
  readonly wantsNonce: boolean;
}

async function send({ server, client, params, tools, label }: TokenRequest): Promise<Exchange> {
  const { http, clock, dpop, signal } = tools;
  const endpoint = server.tokenEndpoint;
  if (endpoint === undefined)
    throw new AuthError('unsupported', 'The authorization server has no token_endpoint.');
  const proof = await dpop?.proof({ method: 'POST', url: endpoint.href });
  const sent = await sendForm({ server, endpoint, client, params, proof, http, clock, signal });
  const { answer } = sent;
  const nonce = answer.header('dpop-nonce');
  if (nonce !== undefined) dpop?.nonce(endpoint.origin, nonce);
  // The server knows the client secret even if this request does not contain it.
  const secrets = [...sent.secrets, client.clientSecret ?? '', ...secretParams(params)];
  const body = jsonIn(answer.text);
  const isRefused = answer.status === 400 || answer.status === 401;
  const wantsNonce =
    dpop !== undefined && nonce !== undefined && isRefused && errorCode(body, secrets) === 'use_dpop_nonce';
  return { answer, body, origin: endpoint.origin, secrets, label, wantsNonce };
}

/** Fields that are not secret; all others are. */
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
