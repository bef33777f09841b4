import { AuthError } from '../auth-error.js';
import type { ClientInformation } from './client-information.js';
import type { ClientRequest } from './client-request.js';
import { type DynamicRegistration, registerClient } from './dynamic-registration.js';
import { KeptRegistration } from './kept-registration.js';

export type { ClientRequest } from './client-request.js';

/**
 * The client as an authorization server knows it: registered by hand, else by its metadata document, else registered
 * now, which is kept in the store. A client of one issuer is never used with another.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/client-registration
 * @throws AuthError `not-registered` where none of that can be, `unsupported` where there is no common way to authenticate.
 */
export async function obtainClient(request: ClientRequest): Promise<ClientInformation> {
  const given = givenClient(request);
  if (given !== undefined) return given;
  const registration = registrationOf(request);
  if (registration === undefined) throw notRegistered(request);
  return await KeptRegistration.of(request).take(() => registerClient(registration));
}

/**
 * The client as {@link obtainClient} gives it, without registering anything.
 * @returns undefined where it would have to register first.
 */
export async function knownClient(request: ClientRequest): Promise<ClientInformation | undefined> {
  const given = givenClient(request);
  if (given !== undefined || registrationOf(request) === undefined) return given;
  return await KeptRegistration.of(request).read();
}

/**
 * Forgets a client that registered by itself and that its authorization server knows no more (`invalid_client`).
 * @returns true when {@link obtainClient} now gives another; false for a client that was not registered this way.
 */
export async function forgetRegistration(request: ClientRequest, clientId: string): Promise<boolean> {
  const { identity, server } = request;
  const isByHand = identity.registered?.some((one) => one.issuer === server.issuer) === true;
  if (isByHand || clientId === identity.metadataUrl || registrationOf(request) === undefined) return false;
  await KeptRegistration.of(request).forget(clientId);
  return true;
}

/** The client that need not register: it was registered by hand there, or its metadata document will do. */
function givenClient(request: ClientRequest): ClientInformation | undefined {
  const { identity, server } = request;
  const own = identity.registered?.find(({ issuer }) => issuer === server.issuer);
  if (own === undefined) return documentedClient(request, registrationOf(request) !== undefined);
  const { issuer: _, ...client } = own;
  return client;
}

/** The client by its metadata document; undefined where the server does not take that, or not such a one if there is another way. */
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
  const { identity, server, grantType, interaction, scopes, tools } = request;
  const { registrationEndpoint: endpoint } = server;
  const { dynamic: metadata } = identity;
  if (endpoint === undefined || metadata === undefined) return undefined;
  return { server, endpoint, metadata, grantType, interaction, scopes, tools };
}

function notRegistered({ identity, server }: ClientRequest): AuthError {
  const { registered = [], metadataUrl, dynamic } = identity;
  const issuers = registered.map(({ issuer }) => issuer).join(', ');
  const reasons = [
    registered.length > 0 && `it was registered by hand at ${issuers}, and is not used elsewhere`,
    metadataUrl !== undefined && 'the server takes no metadata documents of clients',
    dynamic === undefined ? 'it does not register by itself' : 'the server lets no client register by itself',
  ].filter((reason) => typeof reason === 'string');
  const message = `The client is not registered at ${server.issuer}: ${reasons.join('; ')}. Register it there by hand, and give its id with that issuer.`;
  return new AuthError('not-registered', message);
}
