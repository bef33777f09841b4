import { AuthError } from '../auth-error.js';
import type { ClientInformation } from '../oauth/client-information.js';
import { type DynamicRegistration, registerClient } from './dynamic-registration.js';
import { type ClientRequest, type StoredClient, StoredRegistration } from './stored-registration.js';

export type { ClientRequest } from './stored-registration.js';

/**
 * Returns the client to use at an authorization server: one that is already registered, or else its metadata document, or else
 * a dynamic registration, which is stored. The client of one issuer is never used with another.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/client-registration
 * @throws AuthError `not-registered` if none of these is possible, `unsupported` if there is no common authentication method.
 */
export async function obtainClient(request: ClientRequest): Promise<ClientInformation> {
  const given = givenClient(request);
  if (given !== undefined) return given;
  const registration = registrationOf(request);
  if (registration === undefined) throw notRegistered(request);
  return await new StoredRegistration(request).take(() => registerClient(registration));
}

/**
 * Returns the client as {@link obtainClient} does, but registers nothing.
 * @param clientId - the client of stored tokens. If it is from an earlier registration, it is returned as a public client, which
 * needs no secret to refresh or revoke its tokens.
 * @param other - another registration that the client of stored tokens may be from.
 * @returns undefined if the client is not registered yet.
 */
export async function knownClient(
  request: ClientRequest,
  clientId?: string,
  other?: ClientRequest,
): Promise<ClientInformation | undefined> {
  const given = givenClient(request);
  if (given !== undefined || request.identity.dynamic === undefined) return given;
  const stored = await new StoredRegistration(request).read();
  if (clientId === undefined || stored?.clientId === clientId) return stored;
  const another = other && (await new StoredRegistration(other).read());
  return another?.clientId === clientId ? another : { clientId, authMethod: 'none' };
}

/** True if a client (by default, any) of this authorization server was registered dynamically. */
export function isDynamic(
  { identity, server }: Pick<StoredClient, 'identity' | 'server'>,
  clientId?: string,
): boolean {
  const isByHand = identity.registered?.some((one) => one.issuer === server.issuer) === true;
  const isDocument = clientId !== undefined && clientId === identity.metadataUrl;
  return identity.dynamic !== undefined && !isByHand && !isDocument;
}

/**
 * Deletes a dynamically registered client from the store; any client, if no id is given.
 * @returns false if the client was not registered dynamically.
 */
export async function forgetRegistration(
  request: StoredClient,
  clientId: string | undefined,
): Promise<boolean> {
  if (!isDynamic(request, clientId)) return false;
  await new StoredRegistration(request).forget(clientId);
  return true;
}

/** Returns the client that needs no registration; undefined if there is none. */
function givenClient(request: ClientRequest): ClientInformation | undefined {
  const { identity, server } = request;
  const own = identity.registered?.find(({ issuer }) => issuer === server.issuer);
  if (own === undefined) return documentedClient(request, registrationOf(request) !== undefined);
  const { issuer: _, ...client } = own;
  return client;
}

/**
 * Returns the client with the metadata document; undefined if the server does not support it, or not its authentication
 * method while there is another way.
 */
function documentedClient(
  { identity, server }: ClientRequest,
  hasOtherWay: boolean,
): ClientInformation | undefined {
  const { metadataUrl: clientId, metadataKey: key } = identity;
  if (clientId === undefined || !server.clientIdMetadataDocuments) return undefined;
  if (key === undefined) return { clientId, authMethod: 'none' };
  const takesKeys = server.tokenEndpointAuthMethods.includes('private_key_jwt');
  return takesKeys || !hasOtherWay ? { clientId, key, authMethod: 'private_key_jwt' } : undefined;
}

function registrationOf(request: ClientRequest): DynamicRegistration | undefined {
  const { registrationEndpoint: endpoint } = request.server;
  const { dynamic: metadata } = request.identity;
  return endpoint && metadata && { ...request, endpoint, metadata };
}

function notRegistered({ identity, server }: ClientRequest): AuthError {
  const { registered = [], metadataUrl, dynamic } = identity;
  const issuers = registered.map(({ issuer }) => issuer).join(', ');
  const reasons = [
    registered.length > 0 && `it is registered at ${issuers}, and is not used elsewhere`,
    metadataUrl !== undefined && 'the server does not support client id metadata documents',
    dynamic === undefined ? 'dynamic registration is turned off' : 'the server has no dynamic registration',
  ].filter((reason) => typeof reason === 'string');
  const message = `The client is not registered at ${server.issuer}: ${reasons.join('; ')}. Register it there by hand, and add it to the option client.registered.`;
  return new AuthError('not-registered', message);
}
