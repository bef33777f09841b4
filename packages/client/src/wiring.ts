import {
  type Contract,
  detach,
  ExtendedRevisions,
  SessionError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import {
  type Behaviour,
  type Clock,
  defaultLimits,
  KeepAlive,
  type NotificationHandler,
  systemClock,
} from '@tenon/mcp-session';
import { AskLimiter } from './ask-rates.js';
import { type AskHandler, Asks } from './asks.js';
import { Caching } from './caching.js';
import { Caller } from './caller.js';
import { Client } from './client.js';
import type { Dialer } from './dialer.js';
import { CustomMethods } from './features/custom-methods.js';
import { Elicitation } from './features/elicitation.js';
import { IconFilter } from './features/icons.js';
import { tellLogLevel } from './features/logging.js';
import { type RootSource, Roots } from './features/roots.js';
import { Sampling } from './features/sampling.js';
import { Subscriptions } from './features/subscriptions.js';
import type { KnownTools } from './features/tools.js';
import type { Change, Watcher, WatchHost } from './features/watcher.js';
import { Lifeline, type LifelineEvents, type StateChange } from './lifeline.js';
import { logListener } from './log-listener.js';
import {
  type ClientLimits,
  type ClientOptions,
  declaredCapabilities,
  declaredExtensions,
  limitsOf,
  requireInfo,
  revisionsOf,
} from './options.js';
import { OutputSchemas } from './output-schemas.js';
import { defaultReconnectPolicy, policyOf, type ReconnectPolicy } from './reconnect-policy.js';
import { MemoryCache } from './response-cache.js';
import type { Session } from './session.js';
import { SessionOpener } from './session-opener.js';
import { ToolHeaders } from './tool-headers.js';

/** Puts the parts of one client together, and passes on what happens to one of them to those it concerns. */
export class Wiring implements LifelineEvents, WatchHost {
  readonly clock: Clock;
  readonly random: () => number;
  readonly policy: ReconnectPolicy;
  readonly #options: ClientOptions;
  readonly #limits: ClientLimits;
  readonly #elicitation: Elicitation | undefined;
  readonly #roots: Roots | undefined;
  readonly #asks: Asks;
  readonly #methods: CustomMethods;
  readonly #notifications: Map<string, NotificationHandler>;
  readonly #tools: KnownTools;
  readonly #subscriptions: Subscriptions;
  readonly #lifeline: Lifeline;
  readonly #caller: Caller;
  readonly #caching: Caching | undefined;
  readonly #icons: IconFilter;
  readonly #changeListeners = new Set<() => void>();
  readonly #running = new Set<AbortController>();
  readonly #stateListeners = new Set<(change: StateChange) => void>();
  readonly #keepAlive: KeepAlive | undefined;
  #stopKeepAlive: (() => void) | undefined;

  /** @throws TypeError or RangeError for options that make no sense. */
  constructor(options: ClientOptions, dialer: Dialer) {
    requireInfo(options);
    this.#options = options;
    const { clock = systemClock, random = Math.random, keepAlive, middleware = [] } = options;
    this.clock = clock;
    this.random = random;
    this.policy = { ...defaultReconnectPolicy, ...(options.reconnect || {}) };
    this.#limits = limitsOf(options, defaultLimits);
    this.#elicitation = options.onElicit || options.onElicitUrl ? new Elicitation(options) : undefined;
    this.#roots = options.roots && new Roots(options.roots, () => this.#rootsChanged());
    const onError: Behaviour['onError'] = (error, where) => this.#report(error, where);
    this.#asks = new Asks(this.#askHandlers(), middleware, new AskLimiter(options.rates, clock, onError));
    const { knownTools, pages } = this.#limits;
    this.#icons = new IconFilter(this.#limits, onError);
    const { cache = new MemoryCache(), identity } = options;
    this.#caching = cache ? new Caching(cache, { clock, identity, address: dialer.address }) : undefined;
    const schemas = new OutputSchemas({
      limit: knownTools,
      unverified: options.unverifiedOutput ?? 'reject',
      onError,
    });
    this.#tools = { schemas, headers: new ToolHeaders(knownTools, onError), pages };
    this.#subscriptions = new Subscriptions(this, this.#limits.watches);
    const spoken = new ExtendedRevisions(revisionsOf(options));
    const requests = this.#asks.requestHandlers();
    this.#notifications = this.#notificationHandlers();
    this.#methods = new CustomMethods({ spoken, requests, notifications: this.#notifications, onError });
    const opener = this.#opener(dialer, {
      side: 'client',
      info: options.info,
      revisions: spoken.all,
      requests,
      middleware,
      limits: this.#limits,
      clock,
      onError,
      ...(options.onCancelled && { onCancelled: options.onCancelled }),
    });
    this.#lifeline = new Lifeline(opener, { clock, random, policy: policyOf(options, dialer) }, this);
    this.#keepAlive =
      keepAlive && new KeepAlive(keepAlive, clock, (endpoint, error) => this.#lifeline.lose(endpoint, error));
    const { rounds: limit, asks: most, roundDelay: delay, maxRoundDelay: maxDelay } = this.#limits;
    const rounds = { asks: this.#asks, clock, limit, most, delay, maxDelay };
    this.#caller = new Caller(this.#lifeline, {
      clock,
      total: this.#limits.requestTotal,
      running: this.#running,
      rounds,
      elicitation: this.#elicitation,
      toolHeaders: this.#tools.headers,
      caching: this.#caching,
      icons: this.#icons,
    });
    this.#caller.logLevel = options.logLevel;
    if (options.onState) this.#stateListeners.add(options.onState);
  }

  /** Connects, and makes the client that holds the connection. */
  async connect<C extends Contract>(): Promise<Client<C>> {
    const session = await this.#started(this.#options.signal);
    return new Client<C>(
      {
        caller: this.#caller,
        tools: this.#tools,
        methods: this.#methods,
        subscriptions: this.#subscriptions,
        limits: this.#limits,
        extensions: declaredExtensions(this.#options),
        stateListeners: this.#stateListeners,
        changeListeners: this.#changeListeners,
        clock: this.clock,
        setRoots: (roots) => this.#setRoots(roots),
      },
      session,
    );
  }

  async #started(signal: AbortSignal | undefined): Promise<Session> {
    if (signal === undefined) return this.#lifeline.start();
    const abort = () => detach(this.#lifeline.close(), (error) => this.#report(error, 'close'));
    signal.addEventListener('abort', abort, { once: true });
    try {
      if (!signal.aborted) return await this.#lifeline.start();
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
    const { reason: cause } = signal;
    throw new SessionError('cancelled', 'Connecting was cancelled by its caller.', { cause });
  }

  onSession(session: Session): void {
    this.#asks.server = session.server;
    this.#tools.schemas.forget();
    this.#tools.headers.forget();
    this.#caching?.begin(session);
    this.#changed();
    tellLogLevel(session, this.#caller.logLevel).catch((error: unknown) => this.#report(error, 'logLevel'));
    this.#subscriptions.resume(session);
    this.#guarded(() => this.#roots?.watch(), 'roots');
    this.#stopKeepAlive = this.#keepAlive?.watch(session.endpoint);
  }

  onLost(): void {
    this.#stopKeepAlive?.();
    this.#stopKeepAlive = undefined;
    this.#subscriptions.lost();
  }

  onState(change: StateChange): void {
    if (change.state === 'closed') {
      this.#subscriptions.ended(change.reason);
      this.#guarded(() => this.#roots?.release(), 'roots');
      for (const call of this.#running) call.abort(this.#lifeline.ended.reason);
    }
    for (const listener of [...this.#stateListeners]) this.#guarded(() => listener(change), 'onState');
  }

  session(): Session | undefined {
    return this.#lifeline.session;
  }

  lose(session: Session, reason: Error): void {
    this.#lifeline.lose(session.endpoint, reason);
  }

  tell(watcher: Watcher, change: Change): void {
    if (change.kind === 'gap') this.#missed();
    if (!watcher.closed) this.#guarded(() => watcher.listener(change), 'watch');
  }

  #opener(dialer: Dialer, behaviour: Behaviour): SessionOpener {
    const { revision, probeTimeout } = this.#options;
    return new SessionOpener({
      dialer,
      behaviour,
      notifications: this.#notifications,
      onMissed: () => {
        this.#missed();
        this.#subscriptions.missed();
      },
      icons: this.#icons,
      capabilities: declaredCapabilities(this.#options),
      pinned: revision === undefined ? undefined : behaviour.revisions[0],
      probeTimeout,
    });
  }

  #askHandlers(): ReadonlyMap<string, AskHandler> {
    const { onSample, capabilities } = this.#options;
    const handlers = new Map<string, AskHandler>();
    if (this.#elicitation) handlers.set('elicitation/create', this.#elicitation);
    if (onSample)
      handlers.set('sampling/createMessage', new Sampling(onSample, capabilities?.samplingTools === true));
    if (this.#roots) handlers.set('roots/list', this.#roots);
    return handlers;
  }

  #notificationHandlers(): Map<string, NotificationHandler> {
    const handlers = new Map(this.#subscriptions.notifications());
    const first = (method: string, task: (params: UnknownObject) => void) => {
      const next = handlers.get(method);
      handlers.set(method, (params, session) => {
        task(params);
        next?.(params, session);
      });
    };
    for (const list of ['tools', 'prompts', 'resources'] as const) {
      first(`notifications/${list}/list_changed`, () => this.#listChanged(list));
    }
    first('notifications/resources/updated', ({ uri }) => this.#caching?.resourceUpdated(String(uri)));
    const { onElicitComplete } = this.#options;
    const listener = logListener(this.#options);
    if (listener) handlers.set('notifications/message', listener);
    handlers.set('notifications/elicitation/complete', ({ elicitationId }: UnknownObject) => {
      if (this.#elicitation?.completes(String(elicitationId))) onElicitComplete?.(String(elicitationId));
    });
    return handlers;
  }

  #listChanged(list: 'tools' | 'prompts' | 'resources'): void {
    // Headers are kept: a server that wants others says so, and they are read again then.
    if (list === 'tools') this.#tools.schemas.forget();
    this.#caching?.listChanged(list);
    this.#changed();
  }

  #missed(): void {
    this.#caching?.missed();
    this.#changed();
  }

  /** What the server offers may be another than it was. */
  #changed(): void {
    for (const listener of [...this.#changeListeners]) listener();
  }

  async #setRoots(roots: RootSource): Promise<void> {
    if (this.#roots === undefined)
      throw new TypeError('Roots were not given to connect(), so they were not declared.');
    this.#roots.replace(roots);
    await this.#tellRoots();
  }

  #rootsChanged(): void {
    detach(this.#tellRoots(), (error) => this.#report(error, 'roots'));
  }

  async #tellRoots(): Promise<void> {
    await this.#lifeline.session?.endpoint.notify('notifications/roots/list_changed', {});
  }

  #guarded(task: () => void, where: string): void {
    try {
      task();
    } catch (error) {
      this.#report(error, where);
    }
  }

  #report(error: unknown, where: string): void {
    try {
      this.#options.onError?.(error, where);
    } catch {
      // Whoever reports errors has nobody to report to.
    }
  }
}
