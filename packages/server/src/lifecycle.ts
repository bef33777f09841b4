import {
  type DiscoverResult,
  ErrorCode,
  type EventPort,
  type Exchange,
  eventPeer,
  eventReason,
  type InitializeParams,
  type InitializeResult,
  type Principal,
  type RequestStamp,
  type Revision,
  RpcError,
  type ServerCapabilities,
  type SessionSettings,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { Endpoint, type IncomingRequest, type RequestHandler } from '@tenon/mcp-session';
import { introductionProblem, knownCapabilities, knownInfo, sessionIdOf } from '@tenon/mcp-session/internal';
import type { ContextParts } from './context/context.js';
import { type CacheOptions, type CacheScope, scopeFor } from './core/cache-hints.js';
import type { ServerFeature } from './core/feature.js';
import { noteHandshake, noteInitialized } from './core/initialization.js';
import { SessionListener } from './features/resources/session-subscriptions.js';
import type { ListenParts } from './features/resources/subscriptions.js';
import { adoptSettings, SharedEndpoint } from './sharing/shared-endpoint.js';

/** The parts of a server that handshakes and discovery use. */
export interface LifecycleParts extends ListenParts {
  readonly instructions: string | undefined;
  readonly revisions: readonly Revision[];
  readonly context: ContextParts;
  readonly cache: CacheOptions;
  readonly events: EventPort;
}

/** Returns the feature of handshakes: `initialize` with a session, `server/discover` without. */
export function lifecycle(server: LifecycleParts): ServerFeature {
  return {
    name: 'lifecycle',
    methods: {
      initialize: { handle: (request) => initialize(server, request) },
      ping: { handle: () => ({}) },
      'server/discover': discovery(server),
    },
    notifications: { 'notifications/initialized': (_, session) => noteInitialized(session) },
  };
}

/** The result of a handshake. */
export interface SettledSession {
  readonly revision: Revision;
  /** The client info. */
  readonly peer: RequestStamp;
  /** The principal that began it, if the transport knows only the principal of each message. */
  readonly principal?: Principal | undefined;
  /** The settings that the client has made in another process. */
  readonly settings?: SessionSettings | undefined;
  /** True if this process only passes a message of the session on. */
  readonly isPassing?: boolean;
  /** The exchange of the handshake; absent if it was in another process. */
  readonly opening?: Exchange | undefined;
}

/** Begins a session on a connection: it now has a revision, and receives list changes. */
export function openSession(
  server: Pick<LifecycleParts, 'audience' | 'subscriptions' | 'events' | 'context'>,
  endpoint: Endpoint,
  session: SettledSession,
): void {
  if (server.events.active && session.isPassing !== true) reportSession(server, endpoint, session);
  endpoint.peer = session.peer;
  endpoint.settle(session.revision);
  if (session.settings !== undefined) adoptSettings(server.subscriptions, endpoint, session.settings);
  const listener =
    endpoint instanceof SharedEndpoint
      ? endpoint.listen(session)
      : new SessionListener(endpoint, session.revision, session.principal);
  endpoint.onEnding(server.audience.add(listener));
}

/** Reports that a session begins, and when it ends. */
function reportSession(
  { events, context: { clock } }: Pick<LifecycleParts, 'events' | 'context'>,
  endpoint: Endpoint,
  { revision, peer, opening }: SettledSession,
): void {
  const { connection } = endpoint;
  const about = {
    ...eventPeer(opening ?? connection, peer.clientInfo, sessionIdOf(connection)),
    revision: revision.id,
  };
  const begunAt = clock.now();
  events.emit({ type: opening === undefined ? 'session-restored' : 'session-opened', ...about });
  endpoint.onClosed((reason) =>
    events.emit({
      type: 'session-ended',
      ...about,
      milliseconds: clock.now() - begunAt,
      ...(reason !== undefined && { reason: eventReason(reason.message) }),
    }),
  );
}

function initialize(server: LifecycleParts, request: IncomingRequest): UnknownObject {
  const endpoint = request.host.conversation;
  if (!(endpoint instanceof Endpoint))
    throw new TypeError('initialize needs a connection that can hold a session.');
  const { capabilities, clientInfo } = request.params as unknown as InitializeParams;
  const { revision, principal } = request;
  const extensions = server.context.extensions?.declaredBy(capabilities as UnknownObject, revision);
  const peer = {
    clientCapabilities: { ...knownCapabilities(capabilities), ...extensions },
    clientInfo: knownInfo(clientInfo),
  };
  const problem = introductionProblem({ capabilities, clientInfo }, server.context.limits.introduction);
  if (problem !== undefined) throw new RpcError(ErrorCode.invalidParams, `params: ${problem}`);
  openSession(server, endpoint, { revision, peer, principal, opening: request.exchange });
  noteHandshake(endpoint, server.context.limits.initializedWait);
  const { instructions } = server;
  const result: InitializeResult = {
    protocolVersion: request.revision.id,
    capabilities: offered(declaredIn(server, revision), endpoint),
    serverInfo: server.info,
    ...(instructions === undefined ? undefined : { instructions }),
  };
  return result as InitializeResult & UnknownObject;
}

/** Returns the capabilities for one peer, without those with messages that cannot reach it. */
function offered(declared: ServerCapabilities, { connection }: Endpoint): ServerCapabilities {
  const { facts, opensNoSession } = connection;
  if (facts.answersOnly !== true && opensNoSession !== true) return declared;
  const { logging, tools, prompts, resources, ...rest } = declared;
  return {
    ...rest,
    ...(facts.answersOnly !== true && logging && { logging }),
    ...(tools && { tools: {} }),
    ...(prompts && { prompts: {} }),
    ...(resources && { resources: {} }),
  };
}

/** Returns the capabilities in a revision: the core's, and those and the settings of extensions. */
function declaredIn(
  { context: { capabilities, extensions } }: LifecycleParts,
  revision: Revision,
): ServerCapabilities {
  const offered = extensions?.in(revision);
  const added = extensions?.capabilitiesIn(revision);
  if (offered === undefined && added === undefined) return capabilities.declared;
  return {
    ...capabilities.declared,
    ...added,
    ...(offered !== undefined && { extensions: offered }),
  };
}

function discovery(server: LifecycleParts): RequestHandler {
  let version = -1;
  let spoken: Revision | undefined;
  let results: Record<CacheScope, DiscoverResult & UnknownObject>;
  const resultFor = (cacheScope: CacheScope, revision: Revision) => {
    const { instructions } = server;
    return {
      supportedVersions: server.revisions.map((one) => one.id),
      capabilities: declaredIn(server, revision),
      ttlMs: server.cache.lists ?? 0,
      cacheScope,
      ...(instructions === undefined ? undefined : { instructions }),
    };
  };
  return {
    reusesResults: true,
    handle({ principal, revision }) {
      if (version !== server.context.capabilities.version || spoken !== revision) {
        version = server.context.capabilities.version;
        spoken = revision;
        results = { public: resultFor('public', revision), private: resultFor('private', revision) };
      }
      return results[principal === undefined ? 'public' : scopeFor(server.cache)];
    },
  };
}
