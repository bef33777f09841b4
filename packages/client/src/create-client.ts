import { type Clock, detach, systemClock } from '@tenon/foundation';
import { redactorOf } from '@tenon/foundation/redaction';
import {
  type ClientCapabilities,
  type Contract,
  type Extensions,
  type Revision,
  SessionError,
} from '@tenon/mcp-protocol';
import { ExtendedRevisions } from '@tenon/mcp-protocol/internal';
import {
  type Behaviour,
  type Endpoint,
  KeepAlive,
  type KeepAliveOptions,
  type Middleware,
  type NotificationHandler,
} from '@tenon/mcp-session';
import { callSafely, printable } from '@tenon/mcp-session/internal';
import { Caching } from './cache/caching.js';
import { MemoryCache } from './cache/response-cache.js';
import { Caller } from './calls/caller.js';
import { OutputSchemas } from './calls/output-schemas.js';
import { ToolHeaders } from './calls/tool-headers.js';
import { Client } from './client.js';
import { type ExtensionHost, type InstalledExtensions, installation } from './extensions/installation.js';
import { CustomMethods } from './features/custom-methods.js';
import { callErrors, Elicitation, elicitationFeature } from './features/elicitation.js';
import { type Feature, Features } from './features/feature.js';
import { listsFeature } from './features/lists.js';
import { loggingFeature, logListener } from './features/logging.js';
import { rootsFeature } from './features/roots.js';
import { samplingFeature } from './features/sampling.js';
import { Subscriptions } from './features/subscriptions/subscriptions.js';
import type { WatchHost } from './features/subscriptions/watcher.js';
import { checkedResult, type KnownTools } from './features/tools.js';
import { IconFilter } from './icons/icons.js';
import { InputRequestLimiter } from './input/input-request-rates.js';
import { InputRequests } from './input/input-requests.js';
import { type ClientOptions, limitsOf, revisionsOf } from './options.js';
import { ConnectionSupervisor, type StateChange } from './session/connection-supervisor.js';
import type { DebugLog } from './session/debug-log.js';
import type { Dialer } from './session/dialer.js';
import { policyOf, withBounds } from './session/reconnect-policy.js';
import { RepeatableTools } from './session/retry.js';
import type { Session } from './session/session.js';
import { SessionOpener } from './session/session-opener.js';

/** The parts of a client that follow from its options, before there is a connection. */
type Base = ReturnType<typeof baseOf>;

/**
 * Connects, and creates the client of the connection.
 * @throws TypeError or RangeError for invalid options; and as `connect` does.
 */
export async function createClient<C extends Contract>(
  options: ClientOptions,
  dialer: Dialer,
): Promise<Client<C>> {
  const base = baseOf(options, dialer, options.debug === true ? await debugLogOf(options) : undefined);
  const { clock, random, limits, onError, spoken, stateListeners, changeListeners } = base;
  const running = new Set<AbortController>();
  const host: ExtensionHost = {
    spoken,
    clock,
    onError,
    address: dialer.server,
    knownTools: limits.knownTools,
    checkedResult: (name, result) => checkedResult(caller, tools, { name, result }),
    watch: (filter, listener) =>
      caller.withSession((session) => subscriptions.watch(session, filter, listener)),
    get caller() {
      return caller;
    },
    get methods() {
      return methods;
    },
    get inputRequests() {
      return inputRequests;
    },
  };
  const { features, subscriptions, tools, roots, extensions } = featuresOf(base, host);
  const middleware = [...(extensions?.middleware ?? []), ...(options.middleware ?? [])];
  const inputRequests = inputRequestsOf(base, { features, extensions, middleware });
  const requests = inputRequests.requestHandlers();
  const notifications = features.notifications();
  const methods = new CustomMethods({ spoken, requests, notifications, onError });
  features.register(methods);
  const declared = features.capabilities(spoken.all);
  const opener = openerOf(base, dialer, { features, declared, requests, notifications, middleware });
  const policy = policyOf(options, dialer);
  const supervisor: ConnectionSupervisor = new ConnectionSupervisor(
    opener,
    { clock, random, policy },
    {
      onSession: (session) => {
        inputRequests.server = session.server;
        features.start(session);
      },
      onLost: (reason) => features.lost(reason),
      onStateChange: (change) => {
        if (change.state === 'reconnecting' && change.reason !== undefined)
          onError(change.reason, 'connection');
        if (change.state === 'closed') {
          features.stop(change.reason);
          for (const call of running) call.abort(supervisor.ended.reason);
        }
        for (const listener of [...stateListeners])
          callSafely({ onError }, 'onStateChange', () => listener(change));
      },
    },
  );
  const caller = callerOf(base, { supervisor, inputRequests, running, extensions, middleware });
  const addMembers = extensions?.members(Client.prototype);
  const session = await started(supervisor, base);
  const setRoots = roots?.replace ?? withoutRoots;
  const watched = { subscriptions, stateListeners, changeListeners };
  const client = new Client<C>({ caller, tools, methods, declared, ...watched, clock, setRoots }, session);
  addMembers?.(client);
  return client;
}

function inputRequestsOf(
  { options, clock, onError }: Base,
  {
    features,
    extensions,
    middleware,
  }: Pick<CallerNeeds, 'extensions' | 'middleware'> & { features: Features },
): InputRequests {
  return new InputRequests(features.inputs(), {
    middleware,
    limiter: new InputRequestLimiter(options.rates, clock, onError),
    interception: extensions?.interception,
  });
}

async function debugLogOf({ clock = systemClock, redact }: ClientOptions): Promise<DebugLog> {
  const { DebugLog: Log } = await import('./session/debug-log.js');
  return new Log({ clock, shown: redactorOf(redact, printable) });
}

function baseOf(options: ClientOptions, { address }: Dialer, debug: DebugLog | undefined) {
  const { clock = systemClock, random = Math.random, identity } = options;
  const { cache = new MemoryCache(), unverifiedOutput: unverified = 'reject' } = options;
  const limits = limitsOf(options);
  const { knownTools, pages, listBytes } = limits;
  const onError: Behaviour['onError'] = (error, where) => {
    debug?.write(`${where}:`, error);
    // An error of the reporter itself cannot be reported.
    callSafely({ onError: () => {} }, where, () => options.onError?.(error, where));
  };
  const spoken = new ExtendedRevisions(revisionsOf(options));
  const schemas = new OutputSchemas({ limit: knownTools, unverified, onError });
  return {
    options,
    limits,
    clock,
    random,
    onError,
    spoken,
    elicitation: options.onElicit || options.onElicitUrl ? new Elicitation(options) : undefined,
    caching: cache ? new Caching(cache, { clock, identity, address }) : undefined,
    tools: {
      schemas,
      headers: new ToolHeaders(knownTools, onError),
      repeatable: new RepeatableTools(knownTools),
      bounds: { pages, listBytes, optionsOf: 'connect()' },
    },
    icons: new IconFilter(limits, onError),
    stateListeners: new Set<(change: StateChange) => void>([
      ...(debug ? [({ state, reason }: StateChange) => debug.write(state, reason)] : []),
      ...(options.onStateChange ? [options.onStateChange] : []),
    ]),
    debug,
    changeListeners: new Set<() => void>(),
  };
}

/** The features of a client in the order in which they start, receive notifications and stop. */
function featuresOf(base: Base, host: ExtensionHost) {
  const { options, clock, random, limits, onError, elicitation, changeListeners } = base;
  const session = () => host.caller.supervisor.session;
  const { auth, capabilities, extensions: given = [], keepAlive, onSample } = options;
  const extensions = given[0]?.[installation](given, host);
  const tools: KnownTools = { ...base.tools, preparation: extensions?.preparation };
  const lists = listsFeature({
    ...base,
    tools,
    changed: () => {
      for (const listener of [...changeListeners]) listener();
    },
  });
  const watchHost: WatchHost = {
    clock,
    random,
    policy: withBounds(options.reconnect || undefined),
    session,
    lose: (lost, reason) => host.caller.supervisor.lose(lost.endpoint, reason),
    notify: (watcher, change) => {
      if (change.kind === 'gap') lists.missed?.();
      if (!watcher.closed) callSafely({ onError }, 'watch', () => watcher.listener(change));
    },
  };
  const subscriptions = new Subscriptions(watchHost, limits.watches, extensions?.filters);
  const roots = options.roots && rootsFeature(options.roots, { onError, session });
  const all: (Feature | undefined)[] = [
    lists,
    loggingFeature(logListener(options), () => host.caller.logLevel),
    subscriptions.feature(),
    roots,
    elicitation && elicitationFeature(elicitation, options),
    onSample && samplingFeature(onSample, capabilities),
    capabilities?.experimental && experimentalFeature(capabilities.experimental),
    auth?.extensions && signInFeature(auth.extensions),
    ...(extensions?.features ?? []),
    keepAlive &&
      keepAliveFeature(keepAlive, clock, (endpoint, error) => host.caller.supervisor.lose(endpoint, error)),
  ];
  const features = new Features(
    all.filter((one) => one !== undefined),
    onError,
  );
  return { features, subscriptions, tools, roots, extensions };
}

function experimentalFeature(experimental: NonNullable<ClientCapabilities['experimental']>): Feature {
  return { name: 'experimental', capabilities: () => ({ experimental }) };
}

/** The extensions that the auth provider implements. */
function signInFeature(extensions: Extensions): Feature {
  return {
    name: 'auth',
    capabilities: ({ lifecycle }) => (lifecycle === 'stateless' ? { extensions } : {}),
  };
}

function keepAliveFeature(
  options: KeepAliveOptions,
  clock: Clock,
  lose: (endpoint: Endpoint, error: Error) => void,
): Feature {
  const keepAlive = new KeepAlive(options, clock, lose);
  let stop: (() => void) | undefined;
  return {
    name: 'keepAlive',
    start: ({ endpoint }) => {
      stop = keepAlive.watch(endpoint);
    },
    lost: () => {
      stop?.();
      stop = undefined;
    },
  };
}

interface Handled {
  readonly features: Features;
  readonly declared: ReadonlyMap<Revision, ClientCapabilities>;
  readonly requests: Behaviour['requests'];
  readonly middleware: Behaviour['middleware'];
  readonly notifications: ReadonlyMap<string, NotificationHandler>;
}

function openerOf(
  { options, limits, clock, onError, spoken, icons, debug }: Base,
  dialer: Dialer,
  { features, declared, requests, notifications, middleware }: Handled,
): SessionOpener {
  const { info, onCancelled, connectTimeout } = options;
  return new SessionOpener({
    dialer,
    behaviour: {
      side: 'client',
      info,
      revisions: spoken.all,
      requests,
      middleware,
      limits,
      clock,
      onError,
      ...(onCancelled && { onCancelled }),
    },
    notifications,
    icons,
    debug,
    onMissed: () => features.missed(),
    capabilities: (revision) => declared.get(revision) ?? {},
    pinned: options.revision === undefined ? undefined : spoken.all[0],
    connectTimeout,
  });
}

interface CallerNeeds {
  readonly supervisor: ConnectionSupervisor;
  readonly inputRequests: InputRequests;
  readonly running: Set<AbortController>;
  readonly extensions: InstalledExtensions | undefined;
  /** Of the extensions, then of the options. */
  readonly middleware: readonly Middleware[];
}

function callerOf(
  base: Base,
  { supervisor, inputRequests, running, extensions, middleware }: CallerNeeds,
): Caller {
  const { options, limits, clock, elicitation, caching, icons, tools } = base;
  const { rounds: limit, inputRequests: most, roundDelay: delay, maxRoundDelay: maxDelay } = limits;
  const caller = new Caller(supervisor, {
    clock,
    total: limits.requestTotal,
    running,
    middleware: middleware.length > 0 ? middleware : undefined,
    rounds: { handlers: inputRequests, clock, limit, most, delay, maxDelay },
    errorForCaller: callErrors(elicitation),
    results: extensions?.results,
    preparation: extensions?.preparation,
    toolHeaders: tools.headers,
    repeatableTools: tools.repeatable,
    caching,
    icons,
  });
  caller.logLevel = options.logLevel;
  return caller;
}

/** Opens the first session, unless the signal of the options aborts before. */
async function started(
  supervisor: ConnectionSupervisor,
  { options: { signal }, onError }: Base,
): Promise<Session> {
  if (signal === undefined) return supervisor.start();
  const abort = () => detach(supervisor.close(), (error) => onError(error, 'close'));
  signal.addEventListener('abort', abort, { once: true });
  try {
    if (!signal.aborted) return await supervisor.start();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
  const { reason: cause } = signal;
  const { stderr } = supervisor;
  const printed = stderr.length === 0 ? '' : ` The server's last lines on stderr:\n  ${stderr.join('\n  ')}`;
  throw new SessionError('cancelled', `Connecting was cancelled by its caller.${printed}`, { cause });
}

async function withoutRoots(): Promise<never> {
  throw new TypeError('Roots were not given to connect(), so they were not declared.');
}
