import type { Authority } from '../authority/authority.js';
import { OauthProblem } from '../http/answer.js';
import type { RecordedRequest } from '../http/recorded-request.js';
import type { TestClient, TestClientAuthMethod } from '../options/behaviour.js';
import { clientOfAssertion } from './assertions.js';

/** A client, and the method it authenticated with. */
export interface AuthenticatedClient {
  readonly client: TestClient;
  readonly method: TestClientAuthMethod;
}

/** A token request the server is answering. */
export interface GrantRequest {
  readonly form: URLSearchParams;
  /** Undefined if the request names no client. */
  readonly sender: AuthenticatedClient | undefined;
  /** Thumbprint of the key of the DPoP proof. */
  readonly boundTo: string | undefined;
}

interface Credentials {
  readonly method: TestClientAuthMethod;
  readonly clientId: string | null;
  readonly secret?: string;
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** @throws OauthProblem `invalid_client` if the request names no client */
export function senderOf(sender: AuthenticatedClient | undefined): AuthenticatedClient {
  if (sender !== undefined) return sender;
  throw new OauthProblem('invalid_client', 'The request does not name its client.');
}

/** @throws OauthProblem `unauthorized_client` if the client may not use this grant */
export function requireMay(client: TestClient | undefined, grantType: string): void {
  if (client?.grantTypes?.includes(grantType) === false)
    throw new OauthProblem('unauthorized_client', `The client may not use ${grantType}.`);
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
    throw rejected(method, `${method} is not an accepted method`);
  const client =
    method === 'private_key_jwt'
      ? await clientOfAssertion(form.get('client_assertion') ?? '', clientId, authority)
      : await authority.findClient(clientId ?? '');
  if (client === undefined) throw rejected(method, `unknown client ${JSON.stringify(clientId)}`);
  const takes = methodsOf(client);
  if (!takes.includes(method))
    throw rejected(method, `the client must authenticate with ${takes.join(' or ')}`);
  if (hasSecret(method)) {
    const { clientSecret, secretExpiresAt = Number.POSITIVE_INFINITY } = client;
    if (credentials.secret !== clientSecret) throw rejected(method, 'the secret is wrong');
    if (secretExpiresAt <= authority.now()) throw rejected(method, 'the secret has expired');
  }
  return { client, method };
}

/** True for the methods that send the secret of the client. */
export function hasSecret(method: TestClientAuthMethod | undefined): boolean {
  return method === 'client_secret_basic' || method === 'client_secret_post';
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
  if (type === assertionType) return { method: 'private_key_jwt', clientId };
  if (type !== null) throw rejected('private_key_jwt', `client_assertion_type must be ${assertionType}`);
  return clientId === null ? undefined : { method: 'none', clientId };
}

function basicCredentials(encoded: string, named: string | null): Credentials {
  const method = 'client_secret_basic';
  const [id, secret, ...more] = Buffer.from(encoded, 'base64').toString('utf8').split(':').map(formDecoded);
  if (id === undefined || secret === undefined || more.length > 0)
    throw rejected(method, 'the credentials are not a form-encoded id and secret');
  if (named !== null && named !== id) throw rejected(method, 'client_id differs from the one in the header');
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

function methodsOf({ authMethod, clientSecret, jwks }: TestClient): readonly TestClientAuthMethod[] {
  if (authMethod !== undefined) return [authMethod];
  const takes: TestClientAuthMethod[] = [];
  if (clientSecret !== undefined) takes.push('client_secret_basic', 'client_secret_post');
  if (jwks !== undefined) takes.push('private_key_jwt');
  return takes.length === 0 ? ['none'] : takes;
}

function rejected(method: TestClientAuthMethod, reason: string): OauthProblem {
  const isBasic = method === 'client_secret_basic';
  const headers = isBasic ? { 'www-authenticate': 'Basic realm="token endpoint"' } : undefined;
  return new OauthProblem('invalid_client', `The client is rejected: ${reason}.`, headers);
}
