import { latest, type Revision } from '@tenon/mcp-protocol';
import { AuthError } from '../auth-error.js';
import type { OauthHttp } from '../http/oauth-http.js';
import {
  type AuthorizationServer,
  fetchAuthorizationServer,
  fetchOwnServer,
  type ServerMetadataRequest,
} from './authorization-server.js';
import type { BearerChallenge } from './challenges.js';
import { canonicalResource, fetchProtectedResource, type ProtectedResource } from './resource-metadata.js';

/** Chooses one of the authorization servers that can be used; undefined rejects them all. */
export type ChooseAuthorizationServer = (
  offers: readonly AuthorizationServer[],
  resource: ProtectedResource,
) => AuthorizationServer | undefined | Promise<AuthorizationServer | undefined>;

export interface DiscoverRequest {
  /** The MCP server, as the user wrote its URL. */
  readonly server: URL;
  readonly challenge?: Pick<BearerChallenge, 'resourceMetadata'> | undefined;
  readonly http: OauthHttp;
  /** Default: the first server that can be used. The metadata of the others is then not fetched. */
  readonly choose?: ChooseAuthorizationServer | undefined;
  /** The revision of the session; the newest while it is not negotiated. */
  readonly revision?: Revision | undefined;
  /** The same as the option of `safeHttp`. */
  readonly allow?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A protected resource, and the authorization server that issues tokens for it. */
export interface Discovery {
  readonly resource: ProtectedResource;
  readonly server: AuthorizationServer;
}

/**
 * Finds the authorization server that issues tokens for a server. Caches nothing.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/authorization-server-discovery
 * @throws AuthError `discovery-failed`, `mismatch`, `forbidden-address` or `unreachable`.
 */
export async function discover(request: DiscoverRequest): Promise<Discovery> {
  const { server, challenge, http, revision = latest, allow, signal } = request;
  const version = { 'mcp-protocol-version': revision.id };
  const headersFor = (url: URL) => (url.origin === server.origin ? version : {});
  const tools = { http, headersFor, allow, signal };
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
  throw new TypeError(
    'chooseAuthorizationServer must return one of the servers in its first argument, or undefined.',
  );
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

/** @throws the error if it is not an AuthError, such as an abort or a bug. */
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
  // Unreachable servers may be back later, if no other server failed for another reason.
  const isPassing = failures.every(({ reason }) => reason === 'unreachable');
  const messages = failures.map(({ message }) => message.slice(0, 400)).join(' ');
  return new AuthError(
    isPassing ? 'unreachable' : 'discovery-failed',
    `None of the ${failures.length} authorization servers of ${resource} can be used. ${messages}`,
    { cause: first },
  );
}
