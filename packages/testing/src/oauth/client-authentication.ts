import { clientOfAssertion } from './assertions.js';
import type { Authority } from './authority.js';
import type { TestClient, TestClientAuthMethod } from './behaviour.js';
import { paramsOf } from './form.js';
import { check, type RecordedRequest } from './messages.js';

/** A form to the token endpoint, or a similar one, and the client that sent it. */
export interface ClientRequest {
  readonly form: URLSearchParams;
  /** Undefined if the request names no client. */
  readonly client: TestClient | undefined;
  /** The method the client authenticated with. */
  readonly method: TestClientAuthMethod;
  /** Thumbprint of the key of the DPoP proof. */
  readonly boundTo?: string | undefined;
}

interface Credentials {
  readonly method: TestClientAuthMethod;
  readonly clientId: string | null;
  readonly secret?: string | null;
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** @throws OauthProblem `invalid_client` if the request names no client */
export function clientOf({ client }: ClientRequest): TestClient {
  check(client, 'invalid_client', 'The request does not name its client.');
  return client;
}

/** @throws OauthProblem `unauthorized_client` if the client may not use this grant */
export function checkMayUse(grantType: string, client: TestClient | undefined): void {
  const may = client?.grantTypes?.includes(grantType) ?? true;
  check(may, 'unauthorized_client', `The client may not use ${grantType}.`);
}

/**
 * Reads a form, and authenticates its client.
 * https://www.rfc-editor.org/rfc/rfc6749#section-2.3
 * @throws OauthProblem `invalid_client`, or `invalid_request` if the client uses more than one method
 */
export async function clientRequest(request: RecordedRequest, authority: Authority): Promise<ClientRequest> {
  const form = paramsOf(request);
  const { method, clientId, secret } = credentialsOf(request, form);
  if (method === 'none' && clientId === null) return { form, client: undefined, method };
  checkClient(authority.settings.authMethods.includes(method), `${method} is not an accepted method`);
  const client =
    method === 'private_key_jwt'
      ? await clientOfAssertion(form.get('client_assertion') ?? '', clientId, authority)
      : await authority.findClient(clientId ?? '');
  checkClient(client, `unknown client ${JSON.stringify(clientId)}`);
  const { clientSecret, secretExpiresAt = Number.POSITIVE_INFINITY } = client;
  const methods = methodsOf(client);
  checkClient(methods.includes(method), `the client must authenticate with ${methods.join(' or ')}`);
  checkClient(!hasSecret(method) || secret === clientSecret, 'the secret is wrong');
  checkClient(!hasSecret(method) || authority.now() < secretExpiresAt, 'the secret has expired');
  return { form, client, method };
}

/** True for the methods that send the secret of the client. */
export function hasSecret(method: TestClientAuthMethod | undefined): boolean {
  return method === 'client_secret_basic' || method === 'client_secret_post';
}

function credentialsOf({ headers }: RecordedRequest, form: URLSearchParams): Credentials {
  const basic = /^Basic +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const secret = form.get('client_secret');
  const type = form.get('client_assertion_type');
  const ways = [basic !== undefined, secret !== null, type !== null].filter(Boolean).length;
  check(ways < 2, 'invalid_request', 'The client authenticates in more than one way.');
  const clientId = form.get('client_id');
  if (basic !== undefined) return basicCredentials(basic, clientId);
  if (secret !== null) return { method: 'client_secret_post', clientId, secret };
  if (type === null) return { method: 'none', clientId };
  checkClient(type === assertionType, `client_assertion_type must be ${assertionType}`);
  return { method: 'private_key_jwt', clientId };
}

function basicCredentials(encoded: string, named: string | null): Credentials {
  // Id and secret are form-encoded before they are joined, so neither contains a colon.
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const parts = text.split(':');
  const isEncoded = parts.length === 2 && !/&|%(?![\da-f]{2})/i.test(text);
  checkClient(isEncoded, 'the credentials are not a form-encoded id and secret');
  const [clientId = '', secret = ''] = parts.map(
    (part) => new URLSearchParams(`part=${part}`).get('part') ?? '',
  );
  checkClient(named === null || named === clientId, 'client_id differs from the one in the header');
  return { method: 'client_secret_basic', clientId, secret };
}

function methodsOf({ authMethod, clientSecret, jwks }: TestClient): readonly TestClientAuthMethod[] {
  if (authMethod !== undefined) return [authMethod];
  const methods: TestClientAuthMethod[] = [];
  if (clientSecret !== undefined) methods.push('client_secret_basic', 'client_secret_post');
  if (jwks !== undefined) methods.push('private_key_jwt');
  return methods.length === 0 ? ['none'] : methods;
}

function checkClient(holds: unknown, reason: string): asserts holds {
  check(holds, 'invalid_client', `The client is rejected: ${reason}.`);
}
