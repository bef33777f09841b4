import { defaultInputRequestRates } from '@tenon/mcp-client';
import { defaultRates } from '@tenon/mcp-server';

/** The place of the options of one interface on the page. */
export interface Place {
  readonly section: string;
  /** The text before each name, such as `limits.` or `createHandles: `. */
  readonly before?: string;
  /** The defaults, or the source file that has them. Default: the file of the interface. */
  readonly defaults?: object | string;
  /** Names that differ in the source of the defaults. */
  readonly called?: Readonly<Record<string, string>>;
  /** Options that are not limits or timeouts, or have no default. */
  readonly apart?: readonly string[];
}

/** The place of each interface with options that are numbers; a text is the reason why the page does not have them. */
export const places: Readonly<Record<string, Place | string>> = {
  'session/limits/limits.ts SessionLimits': { section: 'One conversation' },
  'session/conversation/keep-alive.ts KeepAliveOptions': 'has a time without a default',
  'session/requests/request-options.ts RequestOptions':
    'stand in the place of requestTimeout and requestTotal, for one call',
  'session/requests/behaviour.ts HandlingBounds': 'made of the limits of a server',
  'protocol/ports/connection.ts WorkBounds': 'made of exchanges and exchangesPerPrincipal of an HTTP server',
  'server/core/limits.ts ServerLimits': { section: 'Server', before: 'limits.' },
  'client/features/pagination.ts ListBounds':
    'made of constants, of limits.listBytes of a client, and of bounds of skills and tasks',
  'json-schema/checks/library.ts LibraryBounds': 'constants of servers and clients',
  'server/options.ts ServerOptions': {
    section: 'Server',
    defaults: 'server/src/sealing/sealing.ts',
    called: { stateLifetime: 'lifetime' },
  },
  'server/sealing/aes-sealer.ts AesSealerOptions': 'made of stateLifetime and a constant',
  'server/sealing/sealing.ts SealerOptions': 'made of stateLifetime and a constant',
  'server/core/cache-hints.ts CacheOptions': 'says how fresh lists are; no bound',
  'server/extensions/extension.ts ClientCallOptions':
    'stands in the place of limits.requestTimeout and limits.requestTotal, for one request',
  'server/features/custom-methods.ts MethodOptions':
    'stands in the place of limits.handlerTime, for one method',
  'server/features/tool-options.ts ToolOptions': 'stands in the place of limits.handlerTime, for one tool',
  'server/features/resources/resource-options.ts ResourceOptions': 'says how large a resource is; no bound',
  'json-schema/interpreter/interpret.ts InterpretOptions': 'made of the steps of an interpreter',
  'json-schema/interpreter/interpret.ts MeasureOptions': 'given by the check of what authors register',
  'server/handles/handle-options.ts HandleOptions': {
    section: 'Server',
    before: 'createHandles: ',
    called: { idle: 'lifetime' },
  },
  'server/paths/file-reader.ts FileReaderOptions': { section: 'Server', before: 'fileReader: ' },
  'server/stdio.ts ServeStdioOptions': { section: 'Server', before: 'serveStdio: ' },
  'server/metrics.ts ServeMetricsOptions': 'a port, which is no limit',
  'session/limits/rate.ts RateLimit': 'told by the rates of servers and clients',
  'protocol/json-rpc/errors.ts TransportErrorOptions': 'say what is known of a failure; no bounds',
  'foundation/cancellation.ts TimeLimit': 'made of the options of the callers',
  'foundation/files/lock-file.ts LockOptions': 'made of the waits of the files with a lock',
  'foundation/files/private-file.ts PrivateFileOptions': 'made of the options of the callers',
  'foundation/redaction.ts RedactionBounds': 'constants, and those of recordings and cleanResults',
  'client/options.ts ClientLimits': { section: 'Client', before: 'limits.' },
  'client/options.ts ClientOptions': { section: 'Client', apart: ['connectTimeout'] },
  'client/calls/call-limits.ts CallBounds': 'made of total and limits.requestTotal',
  'client/calls/call-options.ts CallOptions': 'stands in the place of limits.rounds, for one call',
  'client/session/reconnect-policy.ts ReconnectPolicy': { section: 'Client', before: 'reconnect: ' },
  'client/cache/response-cache.ts CacheBounds': 'constants of MemoryCache and of completers',
  'client/icons/load-icon.ts IconOptions': 'has a timeout for one icon',
  'client/calls/output-schemas.ts OutputSchemasOptions': 'made of a constant',
  'transport-http/server/call/http-limits.ts HttpLimits': { section: 'HTTP server' },
  'transport-http/server/http-options.ts HttpOptions': {
    section: 'HTTP server',
    defaults: 'transport-http/src/server/admission/traffic.ts',
  },
  'transport-http/server/admission/byte-budget.ts ByteBounds':
    'made of limits.unreadTotal and limits.bodies, and of constants for each address',
  'server/sse.ts SseHandlerOptions': 'has writeTimeout of the HTTP server',
  'transport-http/node/listening.ts ListenOptions': {
    section: 'HTTP server',
    before: 'serveHttp: ',
    apart: ['port'],
  },
  'transport-http/server/streams/memory-event-store.ts MemoryEventLimits': 'constants of the HTTP server',
  'transport-http/client/request/http-limits.ts HttpClientLimits': { section: 'HTTP client' },
  'idempotency/server.ts IdempotencyOptions': {
    section: 'Idempotency keys',
    before: 'idempotency: ',
  },
  'openapi/options.ts OpenApiOptions': {
    section: 'Tools from OpenAPI documents',
    before: 'fromOpenApi: ',
  },
  'idempotency/server/attempt.ts AttemptOptions': 'made of the options of idempotency',
  'tasks/server/task-settings.ts TaskLimits': {
    section: 'Tasks',
    before: 'tasks: limits.',
  },
  'tasks/client/task-options.ts TaskClientOptions': 'has a time that is sent to the server; no bound',
  'tasks/server/task-settings.ts TasksOptions': { section: 'Tasks', before: 'tasks: ' },
  'transport-stdio/framing/framing-options.ts FramingOptions': { section: 'stdio' },
  'transport-stdio/child/reaping.ts ReapingWaits': 'constants, and those of tenon dev and tenon record',
  'transport-stdio/child/stderr-tail.ts TailBounds': 'made of constants',
  'auth/auth-error.ts AuthErrorOptions': 'say which HTTP status there was; no bounds',
  'auth/registration/client-metadata-document.ts ClientMetadataDocumentOptions':
    'says how long others may keep the document; no bound',
  'auth/tokens/refused-scopes.ts RefusedScopesBounds': 'made of the bounds of providers',
  'auth/sign-in/web-interaction.ts WebInteractionOptions': {
    section: 'Signing in',
    before: 'webInteraction: ',
  },
  'auth/store/state-auth-store.ts StateAuthStoreOptions': {
    section: 'Signing in',
    before: 'stateAuthStore: ',
  },

  'auth/desktop/loopback-interaction.ts DesktopInteractionOptions': {
    section: 'Signing in',
    before: 'desktopInteraction: ',
  },
  'auth/verifiers/jwt-verifier-options.ts JwtVerifierOptions': {
    section: 'Protected servers',
    before: 'jwtVerifier: ',
  },
  'auth/http/safe-http.ts SafeHttpOptions':
    'has the time of one request, for functions that need another one',
  'auth/verifiers/remote-key-set.ts RemoteKeySetOptions': 'made of the options of jwtVerifier',
  'auth/verifiers/introspection-options.ts IntrospectionVerifierOptions': {
    section: 'Protected servers',
    before: 'introspectionVerifier: ',
  },
  'state/memory/memory-budget.ts MemoryBounds': 'made of bytes of memoryState',
  'state/memory/memory-state.ts MemoryStateOptions': { section: 'State', before: 'memoryState: ' },
  'state-redis/redis-options.ts RedisStateOptions': {
    section: 'State',
    before: 'redisState: ',
    defaults: 'state-redis/src/redis-state.ts',
  },
  'state-postgres/options.ts PostgresStateOptions': { section: 'State', before: 'postgresState: ' },
  'state-postgres/schema/migrate.ts MigrationSqlOptions': 'the version of a schema; no bound',
  'state/runs/held-lease.ts HeldLeaseOptions': 'made of stale of stateAuthStore; 15 s for runs',
  'state/state.ts WriteOptions': 'the time to live of one value, without a default',
  'host/skills/cache/disk-cache.ts SkillCacheOptions': { section: 'Skills', before: 'skillCache: ' },
  'host/skills/cache/kept-files.ts CacheBounds': 'made of bytes of skillCache',
  'skills/client/inspected-skill.ts SkillCallOptions': 'stands in the place of requestTimeout, for one call',
  'workbench/dev/dev-options.ts DevOptions': 'a port; no bound',
  'testing/recordings/replay.ts ReplayOptions': { section: 'Testing', before: 'replay: ' },
  'testing/oauth/test-authorization-server.ts TestAuthorizationServerOptions': 'has a port; no bounds',
  'testing/oauth/behaviour.ts LifetimeOptions': {
    section: 'Testing',
    before: 'startTestAuthorizationServer: lifetimes.',
    defaults: 'testing/src/oauth/settings.ts',
  },
  'testing/faults/plan.ts FaultPlan': 'a seed, and how bytes are split; no bounds',
  'testing/faults/plan.ts DirectionFaults': 'say what goes wrong; no bounds',
  'testing/links/byte-pair.ts BytePairOptions': 'made of a fault plan',
  'host/files/audit-file.ts AuditFileOptions': { section: 'Hosts', before: 'auditFile: ', apart: ['files'] },
  'host/files/audit-writer.ts WriterOptions': 'made of the options of auditFile',
  'host/host.ts RunOptions': 'made of the options of toModelContent, and of those of one call',
  'host/models/formats/model-content.ts ModelContentOptions': {
    section: 'Models of hosts',
    before: 'toModelContent: ',
  },
  'host/models/providers/endpoint.ts ModelOptions': {
    section: 'Models of hosts',
    before: 'openAiModel: ',
    apart: ['maxTokens'],
  },
  'host/models/loop/converse.ts ConverseLimits': {
    section: 'Models of hosts',
    before: 'converse: limits.',
    apart: ['cost'],
  },
  'host/models/loop/converse.ts ConverseOptions': 'stand in the place of limits of the model, for one reply',
  'host/models/sampling/sample-with.ts SampleOptions': {
    section: 'Models of hosts',
    before: 'sampleWith: ',
  },
  'workbench/lint/rules/rule.ts LintLimits': {
    section: 'Lint',
    defaults: 'workbench/src/lint/rules/rule.ts',
  },
  'workbench/conformance.ts ConformanceOptions': {
    section: 'Workbench',
    before: 'checkConformance: ',
    called: { timeout: 'defaultTimeout' },
  },
  'workbench/doctor.ts DiagnoseOptions': {
    section: 'Workbench',
    before: 'diagnose: ',
    called: { timeout: 'defaultTimeout' },
  },
  'workbench/load.ts MeasureLoadOptions': {
    section: 'Workbench',
    before: 'measureLoad: ',
    apart: ['rate'],
  },
  'cli/commands/develop/replay.ts ReplayOptions': 'options of a command, which its help describes',
  'cli/server/server-options.ts ServerOptions': 'options of commands, which their help describes',
  'workbench/recordings/http-proxy.ts HttpProxyOptions': 'a port, which is no limit',
};

/** The other names on the page, by section, with their defaults. */
export const others: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {
  Rates: {
    'rates.calls': Object.values(defaultRates.calls),
    'rates.completions': Object.values(defaultRates.completions),
    'rates.by': [],
  },
  Client: {
    // The times of the probe and of a request together.
    connectTimeout: [65_000],
    'rates.samples': Object.values(defaultInputRequestRates.samples),
    'rates.inputRequests': Object.values(defaultInputRequestRates.inputRequests),
    'rates.roots': Object.values(defaultInputRequestRates.roots),
  },
};
