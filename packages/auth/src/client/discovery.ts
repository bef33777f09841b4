import { latest, type Revision } from '@tenon/mcp-protocol';
import { AuthError } from '../auth-error.js';
import type { OauthHttp } from '../http/oauth-http.js';
import type { AuthorizationServer } from './authorization-server.js';
import type { BearerChallenge } from './challenges.js';
import type { ProtectedResource } from './protected-resource.js';
import { canonicalResource } from './resource-identifier.js';
import { fetchProtectedResource } from './resource-metadata.js';
import { fetchAuthorizationServer, fetchOwnServer, type ServerMetadataRequest } from './server-metadata.js';

/** Chooses among the authorization servers that can be used; undefined for none of them. */
export type ChooseAuthorizationServer = (
  offers: readonly AuthorizationServer[],
  resource: ProtectedResource,
) => AuthorizationServer | undefined | Promise<AuthorizationServer | undefined>;

/** What is looked for, and with what. */
export interface DiscoverRequest {
  /** The MCP server, as the user named it. */
  readonly server: URL;
  readonly challenge?: Pick<BearerChallenge, 'resourceMetadata'> | undefined;
  readonly http: OauthHttp;
  /** By default the first that can be used; the others are not asked for anything then. */
  readonly choose?: ChooseAuthorizationServer | undefined;
  /** The revision that is spoken; the newest while nobody knows. */
  readonly revision?: Revision | undefined;
  /** The same as given to `safeHttp`. */
  readonly allow?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Where to sign in, and for what. */
export interface Discovery {
  readonly resource: ProtectedResource;
  readonly server: AuthorizationServer;
}

/**
 * Finds out who may issue tokens for a server. Nothing is remembered.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/authorization-server-discovery
 * @throws AuthError `discovery-failed`, `mismatch`, `forbidden-address` or `unreachable`.
 */
export async function discover(request: DiscoverRequest): Promise<Discovery> {
  const {
    server: { origin },
    challenge,
    http,
    revision = latest,
    allow,
    signal,
  } = request;
  const version = { 'mcp-protocol-version': revision.id };
  const headersFor = (url: URL) => (url.origin === origin ? version : {});
  const tools = { http, headersFor, allow, signal };
  const { server } = request;
  const resourceMetadata = challenge?.resourceMetadata;
  const resource = await fetchProtectedResource({ server, resourceMetadata, ...tools });
  if (resource !== undefined) return { resource, server: await chosenServer(resource, request, tools) };
  const own = withTokenEndpoint(await fetchOwnServer(server, tools));
  return {
    resource: {
      resource: canonicalResource(server),
      authorizationServers: [own.issuer],
      scopesSupported: undefined,
      dpopBound: false,
    },
    server: own,
  };
}

type Tools = Omit<ServerMetadataRequest, 'issuer'>;

async function chosenServer(
  resource: ProtectedResource,
  { choose }: DiscoverRequest,
  tools: Tools,
): Promise<AuthorizationServer> {
  const issuers = resource.authorizationServers;
  if (choose === undefined) return await firstUsable(resource, tools);
  const looked = await Promise.allSettled(issuers.map((issuer) => usableServer(issuer, tools)));
  const offers = looked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failures = looked.flatMap((one) => (one.status === 'rejected' ? [authErrorOf(one.reason)] : []));
  if (offers.length === 0) throw noneLeft(resource, failures);
  const chosen = await choose(offers, resource);
  if (chosen === undefined) {
    throw new AuthError('discovery-failed', `No authorization server was chosen for ${resource.resource}.`);
  }
  if (offers.includes(chosen)) return chosen;
  throw new TypeError('Choose one of the authorization servers that are offered, and give it back as it is.');
}

async function firstUsable(resource: ProtectedResource, tools: Tools): Promise<AuthorizationServer> {
  const failures: AuthError[] = [];
  for (const issuer of resource.authorizationServers) {
    try {
      return await usableServer(issuer, tools);
    } catch (error) {
      failures.push(authErrorOf(error));
    }
  }
  throw noneLeft(resource, failures);
}

async function usableServer(issuer: string, tools: Tools): Promise<AuthorizationServer> {
  return withTokenEndpoint(await fetchAuthorizationServer({ issuer, ...tools }));
}

/** @throws whatever is no AuthError: who asked has given up, or something is broken here. */
function authErrorOf(error: unknown): AuthError {
  if (error instanceof AuthError) return error;
  throw error;
}

function withTokenEndpoint(server: AuthorizationServer): AuthorizationServer {
  if (server.tokenEndpoint !== undefined) return server;
  throw new AuthError('unsupported', `The authorization server ${server.issuer} has no token endpoint.`);
}

function noneLeft({ resource }: ProtectedResource, failures: readonly AuthError[]): AuthError {
  const [first, ...others] = failures;
  if (first !== undefined && others.length === 0) return first;
  // They may be there again later, where nothing else is wrong with them.
  const isPassing = failures.every(({ reason }) => reason === 'unreachable');
  const told = failures.map(({ message }) => message.slice(0, 400)).join(' ');
  return new AuthError(
    isPassing ? 'unreachable' : 'discovery-failed',
    `None of the ${failures.length} authorization servers of ${resource} can be used. ${told}`,
    { cause: first },
  );
}
