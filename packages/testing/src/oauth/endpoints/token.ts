import type { JsonObject } from '@tenon/mcp-protocol';
import type { Authority } from '../authority/authority.js';
import { authorizationCodeGrant } from '../grants/authorization-code.js';
import {
  type AuthenticatedClient,
  authenticate,
  type GrantRequest,
} from '../grants/client-authentication.js';
import { clientCredentialsGrant } from '../grants/client-credentials.js';
import { jwtBearerGrant } from '../grants/jwt-bearer.js';
import { refreshTokenGrant } from '../grants/refresh-token.js';
import { tokenExchangeGrant } from '../grants/token-exchange.js';
import { type HookAnswer, OauthProblem, type TestAnswer } from '../http/answer.js';
import { formOf, grantTypes, needed } from '../http/form.js';
import type { RecordedRequest } from '../http/recorded-request.js';
import { keyOfProof } from '../tokens/dpop-proof.js';

type Grant = (request: GrantRequest, authority: Authority) => Promise<JsonObject>;

const grants: ReadonlyMap<string, Grant> = new Map([
  [grantTypes.code, authorizationCodeGrant],
  [grantTypes.refresh, refreshTokenGrant],
  [grantTypes.clientCredentials, clientCredentialsGrant],
  [grantTypes.jwtBearer, jwtBearerGrant],
  [grantTypes.tokenExchange, tokenExchangeGrant],
]);

/** Answers a token request. */
export async function tokenAnswer(request: RecordedRequest, authority: Authority): Promise<HookAnswer> {
  const answer = await answerOf(request, authority).catch((problem: unknown) => {
    if (problem instanceof OauthProblem) return problem.answer;
    throw problem;
  });
  if (answer === 'hang-up') return answer;
  const { settings, nonce } = authority;
  const headers = {
    'cache-control': 'no-store',
    pragma: 'no-cache',
    ...(settings.dpopNonce && settings.dpop !== 'off' && { 'dpop-nonce': nonce }),
    ...answer.headers,
  };
  const whole = { ...answer, headers };
  return (await settings.tokenAnswer?.(whole, request)) ?? whole;
}

async function answerOf(request: RecordedRequest, authority: Authority): Promise<TestAnswer | 'hang-up'> {
  const form = formOf(request);
  const grantType = needed(form, 'grant_type');
  const grant = authority.settings.grantTypes.includes(grantType) ? grants.get(grantType) : undefined;
  if (grant === undefined)
    throw new OauthProblem(
      'unsupported_grant_type',
      `The grant type ${JSON.stringify(grantType)} is not supported.`,
    );
  const sender = await authenticate(request, form, authority);
  const clientId = sender?.client.clientId;
  if (sender?.client.grantTypes?.includes(grantType) === false)
    throw new OauthProblem('unauthorized_client', `The client may not use ${grantType}.`);
  const instead = await authority.settings.onToken?.({ ...request, endpoint: 'token', grantType, clientId });
  if (instead !== undefined) return instead;
  const boundTo = await keyOf(request, sender, authority);
  return { status: 200, body: await grant({ form, sender, boundTo }, authority) };
}

function keyOf(
  { headers }: RecordedRequest,
  sender: AuthenticatedClient | undefined,
  authority: Authority,
): Promise<string> | undefined {
  const { dpop } = authority.settings;
  if (dpop === 'off') return undefined;
  if (headers.dpop !== undefined) return keyOfProof(headers.dpop, authority);
  if (dpop === 'required' || sender?.client.dpopBound === true)
    throw new OauthProblem('invalid_dpop_proof', 'The header DPoP is missing.');
  return undefined;
}
