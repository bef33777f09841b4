import {
  type DiscoverResult,
  ErrorCode,
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
import { introductionProblem, knownCapabilities, knownInfo } from '@tenon/mcp-session/internal';
import { type CacheScope, type Definition, declaredIn, scopeFor } from './context/definition.js';
import type { ServerFeature } from './core/feature.js';
import { awaitInitialized, initialized } from './core/readiness.js';
import { SessionListener } from './features/resources/session-subscriptions.js';
import { adoptSettings, SharedEndpoint } from './sharing/shared-endpoint.js';

/** Returns the feature of handshakes: `initialize` with a session, `server/discover` without. */
export function lifecycle(definition: Definition): ServerFeature {
  return {
    name: 'lifecycle',
    methods: {
      initialize: { handle: (request) => initialize(definition, request) },
      ping: { handle: () => ({}) },
      'server/discover': discovery(definition),
    },
    notifications: { 'notifications/initialized': (_, session) => initialized(session) },
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
}

/** Begins a session on a connection: it now has a revision, and receives list changes. */
export function openSession(definition: Definition, endpoint: Endpoint, session: SettledSession): void {
  endpoint.peer = session.peer;
  endpoint.settle(session.revision);
  if (session.settings !== undefined) adoptSettings(definition, endpoint, session.settings);
  const listener =
    endpoint instanceof SharedEndpoint
      ? endpoint.listen(session)
      : new SessionListener(endpoint, session.revision, session.principal);
  endpoint.onEnding(definition.audience.add(listener));
}

function initialize(definition: Definition, request: IncomingRequest): UnknownObject {
  const endpoint = request.host.conversation;
  if (!(endpoint instanceof Endpoint))
    throw new TypeError('initialize needs a connection that can hold a session.');
  const { capabilities, clientInfo } = request.params as unknown as InitializeParams;
  const { revision, principal } = request;
  const extensions = definition.extensions?.declaredBy(capabilities as UnknownObject, revision);
  const peer = {
    clientCapabilities: { ...knownCapabilities(capabilities), ...extensions },
    clientInfo: knownInfo(clientInfo),
  };
  const problem = introductionProblem({ capabilities, clientInfo }, definition.limits.introduction);
  if (problem !== undefined) throw new RpcError(ErrorCode.invalidParams, `params: ${problem}`);
  openSession(definition, endpoint, { revision, peer, principal });
  awaitInitialized(endpoint, definition.limits.readyWait);
  const { instructions } = definition;
  const result: InitializeResult = {
    protocolVersion: request.revision.id,
    capabilities: offered(declaredIn(definition, revision), endpoint),
    serverInfo: definition.info,
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

function discovery(definition: Definition): RequestHandler {
  let version = -1;
  let spoken: Revision | undefined;
  let results: Record<CacheScope, DiscoverResult & UnknownObject>;
  const resultFor = (cacheScope: CacheScope, revision: Revision) => {
    const { instructions } = definition;
    return {
      supportedVersions: definition.revisions.map((one) => one.id),
      capabilities: declaredIn(definition, revision),
      ttlMs: definition.cache.lists ?? 0,
      cacheScope,
      ...(instructions === undefined ? undefined : { instructions }),
    };
  };
  return {
    reusesResults: true,
    handle({ principal, revision }) {
      if (version !== definition.capabilities.version || spoken !== revision) {
        version = definition.capabilities.version;
        spoken = revision;
        results = { public: resultFor('public', revision), private: resultFor('private', revision) };
      }
      return results[principal === undefined ? 'public' : scopeFor(definition.cache)];
    },
  };
}
