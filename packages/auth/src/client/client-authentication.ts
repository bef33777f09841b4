import { AuthError } from '../auth-error.js';
import type { AuthorizationServer } from './authorization-server.js';
import { type AssertionTarget, clientAssertion, toldNames } from './client-assertion.js';
import type { ClientAuthMethod, ClientInformation } from './client-information.js';
import { formEncoded } from './form-encoding.js';
import { isPrivateWay } from './private-way.js';

/** Where a client proves who it is. */
export interface AuthenticationTarget extends AssertionTarget {
  /** What the endpoint takes: `token_endpoint_auth_methods_supported` or its like. */
  readonly methods: readonly string[];
}

/** What a request carries to prove who the client is. */
export interface ClientAuthentication {
  readonly method: ClientAuthMethod;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Form fields. */
  readonly params: Readonly<Record<string, string>>;
  /** Texts that no message may repeat. */
  readonly secrets: readonly string[];
}

/**
 * Proves to one of an authorization server's endpoints who the client is, in the ways that its token endpoint takes.
 * @throws AuthError as {@link authenticateClient} does.
 */
export function authenticateAt(
  server: Pick<AuthorizationServer, 'issuer' | 'tokenEndpointAuthMethods' | 'tokenEndpointAuthSigningAlgs'>,
  by: Pick<AuthenticationTarget, 'client' | 'clock' | 'endpoint'>,
): Promise<ClientAuthentication> {
  const { issuer, tokenEndpointAuthMethods: methods, tokenEndpointAuthSigningAlgs: algs } = server;
  return authenticateClient({ ...by, issuer, methods, algs });
}

/**
 * Proves to an endpoint who the client is. An assertion is good for one request: ask again for each.
 * https://www.rfc-editor.org/rfc/rfc6749#section-2.3
 * @throws AuthError `unsupported` where client and endpoint have no way in common, `not-registered` where the secret has
 * expired, `forbidden-address` where a secret would travel in the clear.
 */
export async function authenticateClient(target: AuthenticationTarget): Promise<ClientAuthentication> {
  const { client, endpoint } = target;
  const method = authenticationMethod(target);
  if (method === 'none') {
    const params = client.clientId === '' ? {} : { client_id: client.clientId };
    return { method, headers: {}, params, secrets: [] };
  }
  requirePrivateWay(endpoint);
  if (method === 'private_key_jwt') {
    const assertion = await clientAssertion(target);
    // The subject of the assertion says who it is, too; but some servers look nowhere else before they know its keys.
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

/** Ways to authenticate with something secret, the safest first. */
const safestFirst = ['private_key_jwt', 'client_secret_basic', 'client_secret_post'] as const;

/**
 * How a client authenticates: as it says, else the safest way that both have; a client that has nothing to prove itself
 * with says only who it is.
 * @throws AuthError `unsupported` or `not-registered`
 */
export function authenticationMethod(
  target: Pick<AuthenticationTarget, 'client' | 'methods' | 'endpoint' | 'clock'>,
): ClientAuthMethod {
  const { client, methods } = target;
  const possible = safestFirst.filter((method) => hasMeans(client, method));
  const method = client.authMethod === undefined ? bestOf(possible, methods) : asTold(client, methods);
  if (method !== undefined) {
    if (method.startsWith('client_secret')) requireValidSecret(target);
    return method;
  }
  const own = client.authMethod ?? possible.join(', ');
  throw new AuthError(
    'unsupported',
    `${target.endpoint.origin} lets clients authenticate with ${toldNames(methods)}, and this one has ${own}: register it for one of those.`,
  );
}

function bestOf(
  possible: readonly ClientAuthMethod[],
  methods: readonly string[],
): ClientAuthMethod | undefined {
  // Saying no more than who it is gives nothing away, and many servers take that without listing it.
  if (possible.length === 0) return 'none';
  return (
    possible.find((method) => methods.includes(method)) ?? (methods.includes('none') ? 'none' : undefined)
  );
}

function asTold(client: ClientInformation, methods: readonly string[]): ClientAuthMethod | undefined {
  const { authMethod } = client;
  if (authMethod === undefined || authMethod === 'none') return authMethod;
  // This list stands for a server that says nothing: what was agreed at registration counts for more then.
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
    `The secret of this client at ${endpoint.origin} has expired: register the client anew.`,
  );
}

function requirePrivateWay(endpoint: URL): void {
  if (isPrivateWay(endpoint)) return;
  throw new AuthError(
    'forbidden-address',
    `Secrets are sent over https or on this machine alone, and ${endpoint.origin} is neither.`,
  );
}
