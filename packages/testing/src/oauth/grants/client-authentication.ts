import type { Authority } from '../authority/authority.js';
import { OauthProblem } from '../http/answer.js';
import type { RecordedRequest } from '../http/recorded-request.js';
import type { TestClient, TestClientAuthMethod } from '../options/behaviour.js';
import { assertionType, clientOfAssertion } from './client-assertion.js';

/** A client, and the method it authenticated with. */
export interface AuthenticatedClient {
  readonly client: TestClient;
  readonly method: TestClientAuthMethod;
}

interface Credentials {
  readonly method: TestClientAuthMethod;
  readonly clientId: string | null;
  readonly secret: string | undefined;
}

/**
 * Returns the client of a request to the token endpoint, or a similar one; undefined if the request names no client.
 * https://www.rfc-editor.org/rfc/rfc6749#section-2.3
 * @throws OauthProblem `invalid_client`, or `invalid_request` if the client uses more than one method
 */
export async function authenticate(
  request: RecordedRequest,
  form: URLSearchParams,
  authority: Authority,
): Promise<AuthenticatedClient | undefined> {
  const credentials = credentialsOf(request, form);
  if (credentials === undefined) return undefined;
  const { method, clientId } = credentials;
  if (!authority.settings.authMethods.includes(method))
    throw refused(method, `${method} is not an accepted method`);
  const client =
    method === 'private_key_jwt'
      ? await clientOfAssertion(form.get('client_assertion') ?? '', clientId, authority)
      : await authority.registry.find(clientId ?? '', authority.settings);
  if (client === undefined) throw refused(method, `unknown client ${JSON.stringify(clientId)}`);
  requireMethod(client, method);
  requireSecret(client, credentials, authority.now());
  return { client, method };
}

function credentialsOf({ headers }: RecordedRequest, form: URLSearchParams): Credentials | undefined {
  const basic = /^Basic +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const secret = form.get('client_secret');
  const type = form.get('client_assertion_type');
  const ways = [basic !== undefined, secret !== null, type !== null].filter(Boolean).length;
  if (ways > 1) throw new OauthProblem('invalid_request', 'The client authenticates in more than one way.');
  const clientId = form.get('client_id');
  if (basic !== undefined) return basicCredentials(basic, clientId);
  if (secret !== null) return { method: 'client_secret_post', clientId, secret };
  if (type === assertionType) return { method: 'private_key_jwt', clientId, secret: undefined };
  if (type !== null) throw refused('private_key_jwt', `client_assertion_type must be ${assertionType}`);
  return clientId === null ? undefined : { method: 'none', clientId, secret: undefined };
}

function basicCredentials(encoded: string, named: string | null): Credentials {
  const method = 'client_secret_basic';
  const [id, secret, ...more] = Buffer.from(encoded, 'base64').toString('utf8').split(':').map(formDecoded);
  if (id === undefined || secret === undefined || more.length > 0)
    throw refused(method, 'the credentials are not a form-encoded id and secret');
  if (named !== null && named !== id) throw refused(method, 'client_id differs from the one in the header');
  return { method, clientId: id, secret };
}

// Id and secret are form-encoded before they are joined, so neither contains a colon.
function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function requireMethod({ authMethod, clientSecret, jwks }: TestClient, method: TestClientAuthMethod): void {
  const takes: TestClientAuthMethod[] = [];
  if (authMethod !== undefined) takes.push(authMethod);
  else {
    if (clientSecret !== undefined) takes.push('client_secret_basic', 'client_secret_post');
    if (jwks !== undefined) takes.push('private_key_jwt');
    if (takes.length === 0) takes.push('none');
  }
  if (!takes.includes(method))
    throw refused(method, `the client must authenticate with ${takes.join(' or ')}`);
}

function requireSecret(
  { clientSecret, secretExpiresAt }: TestClient,
  { method, secret }: Credentials,
  now: number,
): void {
  if (method !== 'client_secret_basic' && method !== 'client_secret_post') return;
  if (secret !== clientSecret) throw refused(method, 'the secret is wrong');
  if (secretExpiresAt !== undefined && secretExpiresAt <= now)
    throw refused(method, 'the secret has expired');
}

function refused(method: TestClientAuthMethod, reason: string): OauthProblem {
  const headers =
    method === 'client_secret_basic' ? { 'www-authenticate': 'Basic realm="token endpoint"' } : {};
  return new OauthProblem('invalid_client', `The client is rejected: ${reason}.`, { status: 401, headers });
}

/** A token request the server is answering. */
export interface GrantRequest {
  readonly form: URLSearchParams;
  /** Undefined if the request names no client. */
  readonly sender: AuthenticatedClient | undefined;
  /** Thumbprint of the key of the DPoP proof. */
  readonly boundTo: string | undefined;
}

/**
 * Returns the client that sent the request.
 * @throws OauthProblem `invalid_client`
 */
export function senderOf({ sender }: GrantRequest): AuthenticatedClient {
  if (sender === undefined)
    throw new OauthProblem('invalid_client', 'The request does not name its client.', {
      status: 401,
    });
  return sender;
}
