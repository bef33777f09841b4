import { type ClientCapabilities, type Contract, type Extensions, SessionError } from '@tenon/mcp-protocol';
import { detach, ExtendedRevisions } from '@tenon/mcp-protocol/internal';
import {
  type Behaviour,
  type Clock,
  defaultLimits,
  type Endpoint,
  KeepAlive,
  type KeepAliveOptions,
  type NotificationHandler,
  systemClock,
} from '@tenon/mcp-session';
import { AskLimiter } from './ask-rates.js';
import { Asks } from './asks.js';
import { Caching } from './caching.js';
import { Caller } from './caller.js';
import { Client } from './client.js';
import type { Dialer } from './dialer.js';
import { ClientExtensions } from './extensions/client-extensions.js';
import { ExtensionHandle, extensionFeature } from './extensions/extension-feature.js';
import { ResultTypes } from './extensions/result-types.js';
import { CustomMethods } from './features/custom-methods.js';
import { Elicitation, elicitationFeature } from './features/elicitation.js';
import { type Feature, Features } from './features/feature.js';
import { IconFilter } from './features/icons.js';
import { listsFeature } from './features/lists.js';
import { loggingFeature } from './features/logging.js';
import { type RootsFeature, rootsFeature } from './features/roots.js';
import { samplingFeature } from './features/sampling.js';
import { Subscriptions } from './features/subscriptions.js';
import type { KnownTools } from './features/tools.js';
import type { WatchHost } from './features/watcher.js';
import { Lifeline, type StateChange } from './lifeline.js';
import { logListener } from './log-listener.js';
import { type ClientLimits, type ClientOptions, limitsOf, requireInfo, revisionsOf } from './options.js';
import { OutputSchemas } from './output-schemas.js';
import { defaultReconnectPolicy, policyOf } from './reconnect-policy.js';
import { MemoryCache } from './response-cache.js';
import type { Session } from './session.js';
import { SessionOpener } from './session-opener.js';
import { ToolHeaders } from './tool-headers.js';

/** What the options of a client come to, before there is a connection. */
interface Base {
  readonly options: ClientOptions;
  readonly limits: ClientLimits;
  readonly clock: Clock;
  readonly random: () => number;
  readonly onError: Behaviour['onError'];
  readonly spoken: ExtendedRevisions;
  readonly extensions: ClientExtensions;
  readonly elicitation: Elicitation | undefined;
  readonly caching: Caching | undefined;
  readonly tools: KnownTools;
  readonly icons: IconFilter;
  readonly stateListeners: Set<(change: StateChange) => void>;
  readonly changeListeners: Set<() => void>;
}

/** The parts of a client that features reach once there is a connection. */
interface Connected {
  readonly lifeline: Lifeline;
  readonly caller: Caller;
  readonly methods: CustomMethods;
  readonly extensions: ClientExtensions;
}

/** The features of a client, and those that have more to do than features do. */
interface FeatureParts {
  readonly features: Features;
  readonly subscriptions: Subscriptions;
  readonly roots: RootsFeature | undefined;
  readonly handles: ReadonlyMap<string, ExtensionHandle>;
}

/**
 * Connects, and makes the client that holds the connection.
 * @throws TypeError or RangeError for options that make no sense; and as `connect` does.
 */
export async function createClient<C extends Contract>(
  options: ClientOptions,
  dialer: Dialer,
): Promise<Client<C>> {
  const base = baseOf(options, dialer);
  const { clock, random, limits, onError, spoken, extensions, tools, stateListeners, changeListeners } = base;
  const running = new Set<AbortController>();
  const connected: Connected = {
    extensions,
    get lifeline() {
      return lifeline;
    },
    get caller() {
      return caller;
    },
    get methods() {
      return methods;
    },
  };
  const { features, subscriptions, roots, handles } = featuresOf(base, connected);
  const { middleware = [], rates } = options;
  const asks = new Asks(features.inputs(), middleware, new AskLimiter(rates, clock, onError));
  const requests = asks.requestHandlers();
  const notifications = features.notifications();
  const methods = new CustomMethods({ spoken, requests, notifications, onError });
  features.register(methods);
  const behaviour = behaviourOf(base, requests);
  const opener = openerOf(base, { dialer, behaviour, notifications, features });
  const policy = policyOf(options, dialer);
  const lifeline: Lifeline = new Lifeline(
    opener,
    { clock, random, policy },
    {
      onSession: (session) => {
        asks.server = session.server;
        features.start(session);
      },
      onLost: () => features.lost(),
      onState: (change) => {
        if (change.state === 'closed') {
          features.stop(change.reason);
          for (const call of running) call.abort(lifeline.ended.reason);
        }
        for (const listener of [...stateListeners]) guarded(() => listener(change), 'onState', onError);
      },
    },
  );
  const resultTypes = new ResultTypes(extensions, handles);
  const caller = callerOf(base, { lifeline, asks, running, resultTypes });
  const session = await started(lifeline, base);
  const setRoots = roots?.replace ?? withoutRoots;
  const parts = {
    caller,
    tools,
    methods,
    subscriptions,
    limits,
    extensions,
    stateListeners,
    changeListeners,
  };
  return new Client<C>({ ...parts, clock, setRoots }, session);
}

function baseOf(options: ClientOptions, { address }: Dialer): Base {
  requireInfo(options);
  const { auth, clock = systemClock, random = Math.random, identity } = options;
  const { cache = new MemoryCache(), unverifiedOutput: unverified = 'reject' } = options;
  const limits = limitsOf(options, defaultLimits);
  const { knownTools, pages } = limits;
  const onError: Behaviour['onError'] = (error, where) => {
    try {
      options.onError?.(error, where);
    } catch {
      // There is nowhere to report what a reporter throws.
    }
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
    extensions: new ClientExtensions({
      extensions: options.extensions ?? [],
      signIn: auth?.extensions,
      spoken,
    }),
    elicitation: options.onElicit || options.onElicitUrl ? new Elicitation(options) : undefined,
    caching: cache ? new Caching(cache, { clock, identity, address }) : undefined,
    tools: { schemas, headers: new ToolHeaders(knownTools, onError), pages },
    icons: new IconFilter(limits, onError),
    stateListeners: new Set(options.onState && [options.onState]),
    changeListeners: new Set(),
  };
}

/** The features of a client in the order in which they start, receive notifications and stop. */
function featuresOf(base: Base, connected: Connected): FeatureParts {
  const { options, clock, random, limits, onError, extensions, elicitation, changeListeners } = base;
  const session = () => connected.lifeline.session;
  const lists = listsFeature({
    ...base,
    changed: () => {
      for (const listener of [...changeListeners]) listener();
    },
  });
  const host: WatchHost = {
    clock,
    random,
    policy: { ...defaultReconnectPolicy, ...(options.reconnect || {}) },
    session,
    lose: (lost, reason) => connected.lifeline.lose(lost.endpoint, reason),
    tell: (watcher, change) => {
      if (change.kind === 'gap') lists.missed?.();
      if (!watcher.closed) guarded(() => watcher.listener(change), 'watch', onError);
    },
  };
  const subscriptions = new Subscriptions(host, extensions, limits.watches);
  const { auth, capabilities, keepAlive, onSample } = options;
  const roots = options.roots && rootsFeature(options.roots, { onError, session });
  const given = options.extensions ?? [];
  const handles = new Map(given.map(({ id }) => [id, new ExtensionHandle(id, connected)]));
  const all: (Feature | undefined)[] = [
    lists,
    loggingFeature(logListener(options), () => connected.caller.logLevel),
    subscriptions.feature(),
    roots,
    elicitation && elicitationFeature(elicitation, options),
    onSample && samplingFeature(onSample, capabilities),
    capabilities?.experimental && experimentalFeature(capabilities.experimental),
    auth?.extensions && signInFeature(auth.extensions),
    ...given.map((one) => extensionFeature(one, extensions, handles.get(one.id) as ExtensionHandle)),
    keepAlive &&
      keepAliveFeature(keepAlive, clock, (endpoint, error) => connected.lifeline.lose(endpoint, error)),
  ];
  const features = new Features(
    all.filter((one) => one !== undefined),
    onError,
  );
  return { features, subscriptions, roots, handles };
}

function experimentalFeature(experimental: NonNullable<ClientCapabilities['experimental']>): Feature {
  return { name: 'experimental', capabilities: () => ({ experimental }) };
}

/** The extensions that signing in implements. */
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

function behaviourOf(base: Base, requests: Behaviour['requests']): Behaviour {
  const { options, spoken, limits, clock, onError } = base;
  const { info, middleware = [], onCancelled } = options;
  return {
    side: 'client',
    info,
    revisions: spoken.all,
    requests,
    middleware,
    limits,
    clock,
    onError,
    ...(onCancelled && { onCancelled }),
  };
}

interface OpenerParts {
  readonly dialer: Dialer;
  readonly behaviour: Behaviour;
  readonly notifications: ReadonlyMap<string, NotificationHandler>;
  readonly features: Features;
}

function openerOf({ options, icons, spoken }: Base, parts: OpenerParts): SessionOpener {
  const { dialer, behaviour, notifications, features } = parts;
  const declared = features.capabilities(spoken.all);
  return new SessionOpener({
    dialer,
    behaviour,
    notifications,
    icons,
    onMissed: () => features.missed(),
    capabilities: (revision) => declared.get(revision) ?? {},
    pinned: options.revision === undefined ? undefined : spoken.all[0],
    probeTimeout: options.probeTimeout,
  });
}

interface CallerNeeds {
  readonly lifeline: Lifeline;
  readonly asks: Asks;
  readonly running: Set<AbortController>;
  readonly resultTypes: ResultTypes;
}

function callerOf(base: Base, { lifeline, asks, running, resultTypes }: CallerNeeds): Caller {
  const { options, limits, clock, elicitation, caching, icons, tools } = base;
  const { rounds: limit, asks: most, roundDelay: delay, maxRoundDelay: maxDelay } = limits;
  const caller = new Caller(lifeline, {
    clock,
    total: limits.requestTotal,
    running,
    rounds: { asks, clock, limit, most, delay, maxDelay },
    elicitation,
    resultTypes,
    toolHeaders: tools.headers,
    caching,
    icons,
  });
  caller.logLevel = options.logLevel;
  return caller;
}

/** Opens the first session, unless the signal of the options aborts before. */
async function started(lifeline: Lifeline, { options: { signal }, onError }: Base): Promise<Session> {
  if (signal === undefined) return lifeline.start();
  const abort = () => detach(lifeline.close(), (error) => onError(error, 'close'));
  signal.addEventListener('abort', abort, { once: true });
  try {
    if (!signal.aborted) return await lifeline.start();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
  const { reason: cause } = signal;
  throw new SessionError('cancelled', 'Connecting was cancelled by its caller.', { cause });
}

async function withoutRoots(): Promise<never> {
  throw new TypeError('Roots were not given to connect(), so they were not declared.');
}

function guarded(task: () => void, where: string, onError: Behaviour['onError']): void {
  try {
    task();
  } catch (error) {
    onError(error, where);
  }
}
