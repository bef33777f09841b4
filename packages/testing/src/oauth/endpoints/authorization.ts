import { type Authority, randomText } from '../authority/authority.js';
import type { PendingAuthorization } from '../authority/token-store.js';
import { isRegistered } from '../clients/redirect-uris.js';
import { resourcesOf } from '../grants/granted.js';
import { OauthProblem, type TestAnswer } from '../http/answer.js';
import { needed, queryOf, singleParams, words } from '../http/form.js';
import type { RecordedRequest } from '../http/recorded-request.js';
import type { TestClient } from '../options/behaviour.js';
import { errorResponse } from './authorization-response.js';
import { decided } from './consent.js';
import { consentPage, escaped, page } from './page.js';

const consentLifetime = 600_000;

/**
 * Answers an authorization request with a redirect to the client, or with a consent page.
 * https://www.rfc-editor.org/rfc/rfc6749#section-4.1.1
 */
export async function authorizationAnswer(
  request: RecordedRequest,
  authority: Authority,
): Promise<TestAnswer> {
  let found: { readonly client: TestClient; readonly redirectUri: string };
  let params: URLSearchParams;
  try {
    params = singleParams(queryOf(request.url));
    found = await clientAndWayBack(params, authority);
  } catch (problem) {
    // The redirect URI of the request is not trusted yet: the browser stays here.
    if (problem instanceof OauthProblem) return refusalPage(problem);
    throw problem;
  }
  const { client, redirectUri } = found;
  const state = params.get('state');
  try {
    const pending = { ...readRequest(params, authority), state: state ?? undefined };
    const { scopes, resources, ...rest } = pending;
    const asked = { ...request, clientId: client.clientId, redirectUri, scopes, resources };
    return await answered({ ...rest, request: asked }, client, authority);
  } catch (problem) {
    return errorResponse(problem, { redirectUri, state }, authority);
  }
}

async function clientAndWayBack(
  params: URLSearchParams,
  { registry, settings }: Authority,
): Promise<{ readonly client: TestClient; readonly redirectUri: string }> {
  const clientId = needed(params, 'client_id');
  const client = await registry.find(clientId, settings, true);
  if (client === undefined)
    throw new OauthProblem('invalid_client', `The client ${JSON.stringify(clientId)} is unknown.`);
  const { redirectUris = [] } = client;
  const [only, ...others] = redirectUris;
  const redirectUri = params.get('redirect_uri') ?? (others.length === 0 ? only : undefined);
  if (redirectUri === undefined) throw new OauthProblem('invalid_request', 'redirect_uri is missing.');
  if (!isRegistered(redirectUri, redirectUris))
    throw new OauthProblem('invalid_request', `${redirectUri} is not a redirect URI of this client.`);
  return { client, redirectUri };
}

function readRequest(
  params: URLSearchParams,
  authority: Authority,
): Omit<PendingAuthorization, 'request' | 'state'> & {
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
} {
  if (needed(params, 'response_type') !== 'code')
    throw new OauthProblem('unsupported_response_type', 'The only supported response_type is "code".');
  if (params.get('code_challenge_method') !== 'S256')
    throw new OauthProblem('invalid_request', 'code_challenge_method must be "S256".');
  const challenge = needed(params, 'code_challenge');
  if (!/^[\w-]{43}$/.test(challenge))
    throw new OauthProblem('invalid_request', 'code_challenge is not a SHA-256 in base64url.');
  return {
    challenge,
    nonce: params.get('nonce') ?? undefined,
    codeKey: params.get('dpop_jkt') ?? undefined,
    scopes: words(params.get('scope')),
    resources: resourcesOf(params, authority),
  };
}

function answered(
  pending: PendingAuthorization,
  client: TestClient,
  authority: Authority,
): TestAnswer | Promise<TestAnswer> {
  if (!authority.settings.consent) return decided(pending, 'allow', authority);
  const id = randomText();
  authority.consents.set(id, { ...pending, expiresAt: authority.now() + consentLifetime });
  const { request } = pending;
  const clientName = client.name ?? client.clientId;
  return consentPage({ request, clientName, action: authority.endpoints.consent, id });
}

function refusalPage({ error, message }: OauthProblem): TestAnswer {
  return page(
    'This request cannot be answered',
    `<p id="error">${escaped(error)}</p><p>${escaped(message)}</p>`,
    400,
  );
}
