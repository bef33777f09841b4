import { isHttpsOrLoopback } from '@tenon/mcp-protocol/internal';
import { AuthError } from '../auth-error.js';
import type { AuthorizationServer } from '../discovery/authorization-server.js';
import type { OauthHttp, OauthResponse } from '../http/oauth-http.js';
import { type AssertionTarget, clientAssertion, displayNames } from './client-assertion.js';
import type { ClientAuthMethod, ClientInformation } from './client-information.js';

/** The endpoint that a client authenticates at. */
export interface AuthenticationTarget extends AssertionTarget {
  /** Methods that the endpoint accepts, from `token_endpoint_auth_methods_supported` or a similar member. */
  readonly methods: readonly string[];
}

/** The parts of a request that authenticate the client. */
export interface ClientAuthentication {
  readonly method: ClientAuthMethod;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Form fields. */
  readonly params: Readonly<Record<string, string>>;
  /** Texts that must not appear in messages. */
  readonly secrets: readonly string[];
}

/** A form for an endpoint of an authorization server. */
export interface AuthenticatedForm extends Pick<AuthenticationTarget, 'client' | 'clock' | 'endpoint'> {
  readonly server: Pick<
    AuthorizationServer,
    'issuer' | 'tokenEndpointAuthMethods' | 'tokenEndpointAuthSigningAlgs'
  >;
  /** Undefined and empty values are left out. */
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly proof?: string | undefined;
  readonly http: OauthHttp;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a form, with client authentication by a method that the token endpoint accepts.
 * @returns the response, and texts that must not appear in messages.
 * @throws AuthError as {@link authenticateClient} does, or the error of the request.
 */
export async function sendForm({
  server,
  params,
  proof,
  http,
  signal,
  ...by
}: AuthenticatedForm): Promise<{ readonly answer: OauthResponse; readonly secrets: readonly string[] }> {
  const { issuer, tokenEndpointAuthMethods: methods, tokenEndpointAuthSigningAlgs: algs } = server;
  const authentication = await authenticateClient({ ...by, issuer, methods, algs });
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...params, ...authentication.params })) {
    if (value !== undefined && value !== '') form.set(name, value);
  }
  const headers = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
    ...authentication.headers,
    ...(proof !== undefined && { dpop: proof }),
  };
  const request = { method: 'POST', url: by.endpoint, headers, body: form.toString(), signal } as const;
  return { answer: await http.send(request), secrets: authentication.secrets };
}

/**
 * Authenticates a client for one request; call it again for the next one.
 * https://www.rfc-editor.org/rfc/rfc6749#section-2.3
 * @throws AuthError `unsupported` if client and endpoint have no method in common, `not-registered` if the secret has expired,
 * `forbidden-address` if a secret would be sent unencrypted.
 */
export async function authenticateClient(target: AuthenticationTarget): Promise<ClientAuthentication> {
  const { client, endpoint } = target;
  const method = authenticationMethod(target);
  if (method === 'none') {
    const params = client.clientId === '' ? {} : { client_id: client.clientId };
    return { method, headers: {}, params, secrets: [] };
  }
  requireHttpsOrLoopback(endpoint);
  if (method === 'private_key_jwt') {
    const assertion = await clientAssertion(target);
    // The assertion contains the client id too, but some servers need it to find the key for the assertion.
    const params = {
      client_id: client.clientId,
      client_assertion_type: assertionType,
      client_assertion: assertion,
    };
    return { method, headers: {}, params, secrets: [assertion] };
  }
  const secret = client.clientSecret ?? '';
  if (method === 'client_secret_post') {
    const params = { client_id: client.clientId, client_secret: secret };
    return { method, headers: {}, params, secrets: [secret] };
  }
  const credentials = btoa(`${formEncoded(client.clientId)}:${formEncoded(secret)}`);
  return {
    method,
    headers: { authorization: `Basic ${credentials}` },
    params: {},
    secrets: [secret, credentials],
  };
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Methods with a secret, the safest first. */
const safestFirst = ['private_key_jwt', 'client_secret_basic', 'client_secret_post'] as const;

/**
 * Returns the method by which a client authenticates: its own `authMethod`, or else the safest method that both have. A client
 * without a secret only sends its id.
 * @throws AuthError `unsupported` or `not-registered`
 */
export function authenticationMethod(
  target: Pick<AuthenticationTarget, 'client' | 'methods' | 'endpoint' | 'clock'>,
): ClientAuthMethod {
  const { client, methods } = target;
  const possible = safestFirst.filter((method) => hasMeans(client, method));
  const method =
    client.authMethod === undefined ? bestOf(possible, methods) : registeredMethod(client, methods);
  if (method !== undefined) {
    if (method.startsWith('client_secret')) requireValidSecret(target);
    return method;
  }
  const own = client.authMethod ?? possible.join(', ');
  throw new AuthError(
    'unsupported',
    `${target.endpoint.origin} accepts ${displayNames(methods)} for client authentication, and this client has ${own}: register it for one of those.`,
  );
}

function bestOf(
  possible: readonly ClientAuthMethod[],
  methods: readonly string[],
): ClientAuthMethod | undefined {
  // A client id alone reveals no secret, and many servers accept it without listing `none`.
  if (possible.length === 0) return 'none';
  return (
    possible.find((method) => methods.includes(method)) ?? (methods.includes('none') ? 'none' : undefined)
  );
}

function registeredMethod(
  client: ClientInformation,
  methods: readonly string[],
): ClientAuthMethod | undefined {
  const { authMethod } = client;
  if (authMethod === undefined || authMethod === 'none') return authMethod;
  // This list is the default for metadata without the member: the method of the registration is more reliable then.
  const isDefault = methods.length === 1 && methods[0] === 'client_secret_basic';
  return hasMeans(client, authMethod) && (isDefault || methods.includes(authMethod)) ? authMethod : undefined;
}

function hasMeans(client: ClientInformation, method: ClientAuthMethod): boolean {
  if (method === 'none') return true;
  return method === 'private_key_jwt'
    ? client.key !== undefined
    : client.clientSecret !== undefined && client.clientSecret !== '';
}

function requireValidSecret({
  client,
  endpoint,
  clock,
}: Pick<AuthenticationTarget, 'client' | 'endpoint' | 'clock'>): void {
  if (client.secretExpiresAt === undefined || client.secretExpiresAt > clock.now()) return;
  throw new AuthError(
    'not-registered',
    `The secret of this client at ${endpoint.origin} has expired: register the client again.`,
  );
}

function requireHttpsOrLoopback(endpoint: URL): void {
  if (isHttpsOrLoopback(endpoint)) return;
  throw new AuthError(
    'forbidden-address',
    `Secrets are sent only over https or on this machine, and ${endpoint.origin} is neither.`,
  );
}

/**
 * Encodes a text as the value of a form field.
 * https://www.rfc-editor.org/rfc/rfc6749#appendix-B
 */
export function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}
