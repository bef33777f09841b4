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
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { Endpoint, type IncomingRequest, type RequestHandler } from '@tenon/mcp-session';
import { introductionFlaw, knownCapabilities, knownInfo } from '@tenon/mcp-session/internal';
import { type CacheScope, type Definition, declaredIn, scopeFor } from '../definition.js';
import type { ServerFeature } from '../feature.js';
import { awaitInitialized, initialized } from '../readiness.js';
import { SessionListener } from './subscriptions.js';

/** How a peer gets to know the server: `initialize` with a session, `server/discover` without. */
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

/** What a handshake has settled. */
export interface SettledSession {
  readonly revision: Revision;
  /** What the client said of itself. */
  readonly peer: RequestStamp;
  /** Who began it, where the carrier knows that of its messages alone. */
  readonly principal?: Principal | undefined;
}

/** Begins a session on a connection: from now on it has a revision, and hears of changes. */
export function openSession(definition: Definition, endpoint: Endpoint, session: SettledSession): void {
  endpoint.peer = session.peer;
  endpoint.settle(session.revision);
  endpoint.onEnding(
    definition.audience.add(new SessionListener(endpoint, session.revision, session.principal)),
  );
}

function initialize(definition: Definition, request: IncomingRequest): UnknownObject {
  const endpoint = request.host.conversation;
  if (!(endpoint instanceof Endpoint))
    throw new TypeError('initialize needs a connection that can hold a session.');
  const { capabilities, clientInfo } = request.params as unknown as InitializeParams;
  const { revision, principal } = request;
  const extensions = definition.extensions.declaredBy(capabilities as UnknownObject, revision);
  const peer = {
    clientCapabilities: { ...knownCapabilities(capabilities), ...extensions },
    clientInfo: knownInfo(clientInfo),
  };
  const flaw = introductionFlaw({ capabilities, clientInfo }, definition.limits.introduction);
  if (flaw !== undefined) throw new RpcError(ErrorCode.invalidParams, `params: ${flaw}`);
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

/** The capabilities declared to one peer: without those that need messages which cannot reach it. */
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
