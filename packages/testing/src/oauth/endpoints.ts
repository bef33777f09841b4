import { keyOfProof } from './assertions.js';
import { type Authority, randomText } from './authority.js';
import { authorizationAnswer, consentAnswer, deviceAnswer, verificationAnswer } from './authorization.js';
import { checkMayUse, clientOf, clientRequest, hasSecret } from './client-authentication.js';
import { readClient } from './clients.js';
import { needed, paramsOf } from './form.js';
import { grants } from './grants.js';
import {
  check,
  type HookAnswer,
  type OauthProblem,
  oauthError,
  problemIn,
  type RecordedRequest,
  type TestAnswer,
  type TestEndpoint,
} from './messages.js';
import { metadataAnswer, metadataPaths } from './metadata.js';
import { page, problemPage } from './pages.js';

/** The handler of requests to one path, or to several. */
export interface Endpoint {
  readonly name: TestEndpoint;
  readonly method: 'GET' | 'POST';
  readonly answer: (request: RecordedRequest, authority: Authority) => HookAnswer | Promise<HookAnswer>;
  /** Shows a rejected request. Default: as JSON. */
  readonly reject?: (problem: OauthProblem) => TestAnswer;
  /** The paths for an issuer with the path `base`. Default: the name. */
  readonly paths?: (base: string) => readonly string[];
}

const endpoints: readonly Endpoint[] = [
  { name: 'page', method: 'GET', answer: issuerPage, paths: (base) => [base || '/'] },
  {
    name: 'metadata',
    method: 'GET',
    answer: metadataAnswer,
    paths: (base) => Object.values(metadataPaths(base)),
  },
  { name: 'jwks', method: 'GET', answer: jwksAnswer },
  { name: 'authorize', method: 'GET', answer: authorizationAnswer, reject: problemPage },
  { name: 'consent', method: 'POST', answer: consentAnswer, reject: problemPage },
  { name: 'token', method: 'POST', answer: tokenAnswer },
  { name: 'register', method: 'POST', answer: registrationAnswer },
  { name: 'introspect', method: 'POST', answer: introspectionAnswer },
  { name: 'revoke', method: 'POST', answer: revocationAnswer },
  { name: 'device', method: 'POST', answer: deviceAnswer },
  { name: 'verify', method: 'GET', answer: verificationAnswer, reject: problemPage },
];

/** Returns the endpoint at a path of the origin. */
export function endpointAt(path: string, { settings }: Authority): Endpoint | undefined {
  const base = settings.path;
  return endpoints.find(({ name, paths = () => [`${base}/${name}`] }) => paths(base).includes(path));
}

function issuerPage(_request: RecordedRequest, { issuer }: Authority): TestAnswer {
  return page('Test authorization server', `<p>Issuer: <code id="issuer">${issuer}</code></p>`);
}

function jwksAnswer(_request: RecordedRequest, { jwks }: Authority): TestAnswer {
  return { status: 200, headers: { 'content-type': 'application/jwk-set+json' }, body: JSON.stringify(jwks) };
}

async function tokenAnswer(request: RecordedRequest, authority: Authority): Promise<HookAnswer> {
  const answer = await granted(request, authority).catch((cause: unknown) => problemIn(cause).answer);
  if (answer === 'hang-up') return answer;
  const { settings, nonce } = authority;
  const needsNonce = settings.dpopNonce && settings.dpop !== 'off';
  const headers = { ...(needsNonce && { 'dpop-nonce': nonce }), ...answer.headers };
  return settings.tokenAnswer({ ...answer, headers }, request);
}

async function granted(request: RecordedRequest, authority: Authority): Promise<TestAnswer | 'hang-up'> {
  const { settings } = authority;
  const grantType = needed(paramsOf(request), 'grant_type');
  const grant = settings.grantTypes.includes(grantType) ? grants.get(grantType) : undefined;
  const shown = JSON.stringify(grantType);
  check(grant, 'unsupported_grant_type', `The grant type ${shown} is not supported.`);
  const sent = await clientRequest(request, authority);
  const { clientId, dpopBound = false } = sent.client ?? {};
  checkMayUse(grantType, sent.client);
  const instead = await settings.onToken({ ...request, endpoint: 'token', grantType, clientId });
  if (instead !== undefined) return instead;
  const proof = settings.dpop === 'off' ? undefined : request.headers.dpop;
  const needsProof = settings.dpop === 'required' || (settings.dpop === 'allowed' && dpopBound);
  check(proof !== undefined || !needsProof, 'invalid_dpop_proof', 'The header DPoP is missing.');
  const boundTo = proof === undefined ? undefined : await keyOfProof(proof, authority);
  return { status: 200, body: await grant({ ...sent, boundTo }, authority) };
}

/** https://www.rfc-editor.org/rfc/rfc7591#section-3 */
async function registrationAnswer({ json }: RecordedRequest, authority: Authority): Promise<TestAnswer> {
  const { settings, clients } = authority;
  if (settings.registration === 'off') return oauthError('not_found', 'Dynamic registration is off.', 404);
  check(json, 'invalid_client_metadata', 'The body must be a JSON object.');
  const client = await readClient(randomText(), json, settings);
  const { clientId, redirectUris = [], grantTypes = [], authMethod = 'none' } = client;
  const clientSecret = hasSecret(authMethod) ? randomText() : undefined;
  clients.set(clientId, { ...client, clientSecret });
  const body = {
    ...json,
    client_id: clientId,
    client_id_issued_at: authority.seconds(),
    ...(clientSecret !== undefined && { client_secret: clientSecret, client_secret_expires_at: 0 }),
    redirect_uris: redirectUris,
    grant_types: grantTypes,
    response_types: ['code'],
    token_endpoint_auth_method: authMethod,
  };
  return { status: 201, body };
}

/**
 * Returns the state of a token to a resource server, which must authenticate.
 * https://www.rfc-editor.org/rfc/rfc7662#section-2
 */
async function introspectionAnswer(request: RecordedRequest, authority: Authority): Promise<TestAnswer> {
  const { form, method } = await clientRequest(request, authority);
  check(method !== 'none', 'invalid_client', 'Introspection needs client authentication.');
  const token = authority.tokens.get(needed(form, 'token'));
  if (token === undefined || token.kind === 'code' || !authority.isActive(token))
    return { status: 200, body: { active: false } };
  const { claims, grant, kind } = token;
  const tokenType = claims.cnf === undefined ? 'Bearer' : 'DPoP';
  const body = {
    active: true,
    ...claims,
    ...(kind === 'access' && { token_type: tokenType }),
    ...(grant.user !== undefined && { username: grant.user }),
  };
  return { status: 200, body };
}

/**
 * Revokes a token of the client that sends the request; an unknown token is not an error.
 * https://www.rfc-editor.org/rfc/rfc7009#section-2
 */
async function revocationAnswer(request: RecordedRequest, authority: Authority): Promise<TestAnswer> {
  const sent = await clientRequest(request, authority);
  const { clientId } = clientOf(sent);
  const text = needed(sent.form, 'token');
  const token = authority.tokens.get(text);
  const isTheirs = token === undefined || token.grant.clientId === clientId;
  check(isTheirs, 'invalid_grant', 'The token was issued to another client.');
  authority.revoke(text);
  return { status: 200 };
}
