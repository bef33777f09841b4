import { type Authority, randomText, secondsOf } from './authority/authority.js';
import { keyOfProof } from './grants/assertions.js';
import { authorizationAnswer, consentAnswer } from './grants/authorization.js';
import { authenticate, hasSecret, requireMay, senderOf } from './grants/client-authentication.js';
import { deviceAnswer, verificationAnswer } from './grants/device.js';
import { grants } from './grants/grants.js';
import { type HookAnswer, OauthProblem, oauthError, type TestAnswer } from './http/answer.js';
import { formOf, needed } from './http/form.js';
import { page } from './http/page.js';
import type { RecordedRequest, TestEndpoint } from './http/recorded-request.js';
import { metadataAnswer, metadataPaths } from './metadata.js';

type Handler = (request: RecordedRequest, authority: Authority) => HookAnswer | Promise<HookAnswer>;

/** The handler of one path. */
export interface Endpoint {
  readonly name: TestEndpoint;
  readonly method: 'GET' | 'POST';
  readonly answer: Handler;
}

/** Returns the endpoints by path, for an issuer with this path. */
export function endpointsAt(path: string): ReadonlyMap<string, Endpoint> {
  const endpoints = new Map<string, Endpoint>();
  const get = (at: string, name: TestEndpoint, answer: Handler) =>
    endpoints.set(at, { name, method: 'GET', answer });
  const post = (name: TestEndpoint, answer: Handler) =>
    endpoints.set(`${path}/${name}`, { name, method: 'POST', answer });
  for (const [at, forms] of metadataPaths(path))
    get(at, 'metadata', (_request, authority) => metadataAnswer(forms, authority));
  get(path || '/', 'page', issuerPage);
  get(`${path}/jwks`, 'jwks', jwksAnswer);
  get(`${path}/authorize`, 'authorize', authorizationAnswer);
  post('consent', consentAnswer);
  post('token', tokenAnswer);
  post('register', registrationAnswer);
  post('introspect', introspectionAnswer);
  post('revoke', revocationAnswer);
  post('device', deviceAnswer);
  get(`${path}/verify`, 'verify', verificationAnswer);
  return endpoints;
}

function issuerPage(_request: RecordedRequest, { issuer }: Authority): TestAnswer {
  return page('Test authorization server', `<p>Issuer: <code id="issuer">${issuer}</code></p>`);
}

function jwksAnswer(_request: RecordedRequest, { jwks }: Authority): TestAnswer {
  return { status: 200, headers: { 'content-type': 'application/jwk-set+json' }, body: JSON.stringify(jwks) };
}

async function tokenAnswer(request: RecordedRequest, authority: Authority): Promise<HookAnswer> {
  const answer = await granted(request, authority).catch((problem: unknown) => {
    if (problem instanceof OauthProblem) return problem.answer;
    throw problem;
  });
  if (answer === 'hang-up') return answer;
  const { settings, nonce } = authority;
  const headers = {
    ...{ 'cache-control': 'no-store', pragma: 'no-cache' },
    ...(settings.dpopNonce && settings.dpop !== 'off' && { 'dpop-nonce': nonce }),
    ...answer.headers,
  };
  return settings.tokenAnswer({ ...answer, headers }, request);
}

async function granted(request: RecordedRequest, authority: Authority): Promise<TestAnswer | 'hang-up'> {
  const { settings } = authority;
  const form = formOf(request);
  const grantType = needed(form, 'grant_type');
  const grant = settings.grantTypes.includes(grantType) ? grants.get(grantType) : undefined;
  if (grant === undefined) {
    const description = `The grant type ${JSON.stringify(grantType)} is not supported.`;
    throw new OauthProblem('unsupported_grant_type', description);
  }
  const sender = await authenticate(request, form, authority);
  const { clientId, dpopBound = false } = sender?.client ?? {};
  requireMay(sender?.client, grantType);
  const instead = await settings.onToken({ ...request, endpoint: 'token', grantType, clientId });
  if (instead !== undefined) return instead;
  const proof = settings.dpop === 'off' ? undefined : request.headers.dpop;
  if (proof === undefined && (settings.dpop === 'required' || (settings.dpop === 'allowed' && dpopBound)))
    throw new OauthProblem('invalid_dpop_proof', 'The header DPoP is missing.');
  const boundTo = proof === undefined ? undefined : await keyOfProof(proof, authority);
  return { status: 200, body: await grant({ form, sender, boundTo }, authority) };
}

/** https://www.rfc-editor.org/rfc/rfc7591#section-3 */
async function registrationAnswer({ json }: RecordedRequest, authority: Authority): Promise<TestAnswer> {
  const { settings, registry, now } = authority;
  if (settings.registration === 'off') return oauthError('not_found', 'Dynamic registration is off.', 404);
  if (json === undefined)
    throw new OauthProblem('invalid_client_metadata', 'The body must be a JSON object.');
  const byType = settings.registration === 'by-application-type';
  const facts = await registry.read(json, { authMethods: settings.authMethods, byType });
  const clientId = randomText();
  const clientSecret = hasSecret(facts.authMethod) ? randomText() : undefined;
  registry.clients.set(clientId, { ...facts, clientId, clientSecret });
  const body = {
    ...json,
    client_id: clientId,
    client_id_issued_at: secondsOf(now()),
    ...(clientSecret !== undefined && { client_secret: clientSecret, client_secret_expires_at: 0 }),
    redirect_uris: facts.redirectUris ?? [],
    grant_types: facts.grantTypes ?? [],
    response_types: ['code'],
    token_endpoint_auth_method: facts.authMethod ?? 'none',
  };
  return { status: 201, headers: { 'cache-control': 'no-store' }, body };
}

/**
 * Returns the state of a token to a resource server, which must authenticate.
 * https://www.rfc-editor.org/rfc/rfc7662#section-2
 */
async function introspectionAnswer(request: RecordedRequest, authority: Authority): Promise<TestAnswer> {
  const form = formOf(request);
  const sender = await authenticate(request, form, authority);
  if (sender === undefined || sender.method === 'none')
    throw new OauthProblem('invalid_client', 'Introspection needs client authentication.');
  const token = authority.tokens.get(needed(form, 'token'));
  const answer = { status: 200, headers: { 'cache-control': 'no-store' } };
  if (token === undefined || !authority.isActive(token)) return { ...answer, body: { active: false } };
  const { claims, grant, kind } = token;
  const tokenType = claims.cnf === undefined ? 'Bearer' : 'DPoP';
  const body = {
    active: true,
    ...claims,
    ...(kind === 'access' && { token_type: tokenType }),
    ...(grant.user !== undefined && { username: grant.user }),
  };
  return { ...answer, body };
}

/**
 * Revokes a token of the client that sends the request; an unknown token is not an error.
 * https://www.rfc-editor.org/rfc/rfc7009#section-2
 */
async function revocationAnswer(request: RecordedRequest, authority: Authority): Promise<TestAnswer> {
  const form = formOf(request);
  const { client } = senderOf(await authenticate(request, form, authority));
  const text = needed(form, 'token');
  const token = authority.tokens.get(text);
  if (token !== undefined && token.grant.clientId !== client.clientId)
    throw new OauthProblem('invalid_grant', 'The token was issued to another client.');
  authority.revoke(text);
  return { status: 200 };
}
