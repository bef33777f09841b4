import type { JsonObject } from '@tenon/mcp-protocol';
import { type Authority, randomText, secondsOf } from '../authority/authority.js';
import { OauthProblem, type TestAnswer } from '../http/answer.js';
import type { RecordedRequest } from '../http/recorded-request.js';

/**
 * Registers a client.
 * https://www.rfc-editor.org/rfc/rfc7591#section-3
 */
export async function registrationAnswer(
  request: RecordedRequest,
  authority: Authority,
): Promise<TestAnswer> {
  const { settings, registry, now } = authority;
  if (settings.registration === 'off')
    return { status: 404, body: { error: 'not_found', error_description: 'Dynamic registration is off.' } };
  if (request.json === undefined)
    throw new OauthProblem('invalid_client_metadata', 'The body must be a JSON object.');
  const facts = await registry.read(request.json, {
    authMethods: settings.authMethods,
    byType: settings.registration === 'by-application-type',
  });
  const clientId = randomText();
  const hasSecret = facts.authMethod === 'client_secret_basic' || facts.authMethod === 'client_secret_post';
  const clientSecret = hasSecret ? randomText() : undefined;
  registry.clients.set(clientId, { ...facts, clientId, clientSecret });
  const body: JsonObject = {
    ...request.json,
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
