import {
  type ClientCapabilities,
  type Connection,
  type Contract,
  type LogParams,
  type Revision,
  SessionError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import {
  type Behaviour,
  type Clock,
  defaultLimits,
  Endpoint,
  KeepAlive,
  type NotificationHandler,
  systemClock,
} from '@tenon/mcp-session';
import { type AskHandler, Asks } from './asks.js';
import { Caller } from './caller.js';
import { Client } from './client.js';
import type { Dialer } from './dialer.js';
import { Elicitation } from './features/elicitation.js';
import { tellLogLevel } from './features/logging.js';
import { type RootSource, Roots } from './features/roots.js';
import { Sampling } from './features/sampling.js';
import { Subscriptions } from './features/subscriptions.js';
import type { Change, Watcher, WatchHost } from './features/watcher.js';
import { Lifeline, type LifelineHost, type StateChange } from './lifeline.js';
import { negotiate } from './negotiation.js';
import {
  type ClientLimits,
  type ClientOptions,
  declaredCapabilities,
  limitsOf,
  revisionsOf,
} from './options.js';
import { OutputSchemas } from './output-schemas.js';
import { defaultReconnectPolicy, type ReconnectPolicy } from './reconnect-policy.js';
import type { Session } from './session.js';

const defaultProbeTimeout = 5_000;

/** Puts the parts of one client together, and passes on what happens to one of them to those it concerns. */
export class Wiring implements LifelineHost, WatchHost {
  readonly clock: Clock;
  readonly random: () => number;
  readonly pinned: Revision | undefined;
  readonly #options: ClientOptions;
  readonly #limits: ClientLimits;
  readonly #declared: ClientCapabilities;
  readonly #behaviour: Behaviour;
  readonly #elicitation: Elicitation | undefined;
  readonly #roots: Roots | undefined;
  readonly #asks: Asks;
  readonly #schemas: OutputSchemas;
  readonly #subscriptions: Subscriptions;
  readonly #lifeline: Lifeline;
  readonly #caller: Caller;
  readonly #notifications: ReadonlyMap<string, NotificationHandler>;
  readonly #stateListeners = new Set<(change: StateChange) => void>();
  #dialer: Dialer | undefined;
  readonly #keepAlive: KeepAlive | undefined;
  #stopKeepAlive: (() => void) | undefined;

  /** @throws TypeError or RangeError for options that make no sense. */
  constructor(options: ClientOptions) {
    const revisions = revisionsOf(options);
    this.#options = options;
    this.clock = options.clock ?? systemClock;
    this.random = options.random ?? Math.random;
    this.pinned = options.revision === undefined ? undefined : revisions[0];
    this.#limits = limitsOf(options, defaultLimits);
    this.#declared = declaredCapabilities(options);
    this.#elicitation = options.onElicit || options.onElicitUrl ? new Elicitation(options) : undefined;
    this.#roots = options.roots && new Roots(options.roots);
    this.#asks = new Asks(this.#askHandlers(), options.middleware ?? []);
    this.#behaviour = {
      side: 'client',
      info: options.info,
      revisions,
      requests: this.#asks.requestHandlers(),
      middleware: options.middleware ?? [],
      limits: this.#limits,
      clock: this.clock,
      onError: (error, where) => this.#report(error, where),
    };
    this.#schemas = new OutputSchemas(this.#limits.knownTools, this.#behaviour.onError);
    this.#subscriptions = new Subscriptions(this, this.#limits.watches);
    this.#lifeline = new Lifeline(this);
    const { keepAlive } = options;
    this.#keepAlive =
      keepAlive &&
      new KeepAlive(keepAlive, this.clock, (endpoint, error) => this.#lifeline.lose(endpoint, error));
    const rounds = { asks: this.#asks, clock: this.clock, limit: this.#limits.rounds };
    this.#caller = new Caller(this.#lifeline, rounds, this.#elicitation);
    this.#caller.logLevel = options.logLevel;
    this.#notifications = this.#notificationHandlers();
    if (options.onState) this.#stateListeners.add(options.onState);
  }

  /** Connects, and makes the client that holds the connection. */
  async connect<C extends Contract>(dialer: Dialer): Promise<Client<C>> {
    this.#dialer = dialer;
    const session = await this.#started(this.#options.signal);
    return new Client<C>(
      {
        caller: this.#caller,
        schemas: this.#schemas,
        subscriptions: this.#subscriptions,
        limits: this.#limits,
        stateListeners: this.#stateListeners,
        setRoots: (roots) => this.#setRoots(roots),
      },
      session,
    );
  }

  async #started(signal: AbortSignal | undefined): Promise<Session> {
    if (signal === undefined) return this.#lifeline.start();
    const abort = () => void this.#lifeline.close();
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

  get policy(): ReconnectPolicy | undefined {
    const { reconnect } = this.#options;
    if (reconnect === false || this.#dialer?.restartable !== true) return undefined;
    return { ...defaultReconnectPolicy, ...reconnect };
  }

  open(): Connection | Promise<Connection> {
    if (this.#dialer === undefined) throw new TypeError('There is nothing to connect to yet.');
    return this.#dialer.open();
  }

  listen(connection: Connection, onClosed: (reason: Error | undefined) => void): Endpoint {
    const stamp = { clientCapabilities: this.#declared, clientInfo: this.#options.info };
    const endpoint = new Endpoint(this.#behaviour, connection, { stamp, notifications: this.#notifications });
    endpoint.onClosed(onClosed);
    return endpoint.start();
  }

  negotiate(dial: () => Promise<Endpoint>, settled: Revision | undefined): Promise<Session> {
    return negotiate({
      revisions: this.#behaviour.revisions,
      settled,
      probeTimeout: this.#options.probeTimeout ?? defaultProbeTimeout,
      clock: this.clock,
      info: this.#options.info,
      capabilities: this.#declared,
      restartable: this.#dialer?.restartable === true,
      dial,
    });
  }

  onSession(session: Session): void {
    this.#asks.server = session.server;
    this.#schemas.forget();
    tellLogLevel(session, this.#caller.logLevel).catch((error: unknown) => this.#report(error, 'logLevel'));
    this.#subscriptions.resume(session);
    this.#stopKeepAlive = this.#keepAlive?.watch(session.endpoint);
  }

  onLost(): void {
    this.#stopKeepAlive?.();
    this.#stopKeepAlive = undefined;
    this.#subscriptions.lost();
  }

  onState(change: StateChange): void {
    if (change.state === 'closed') this.#subscriptions.ended(change.reason);
    for (const listener of [...this.#stateListeners]) this.#guarded(() => listener(change), 'onState');
  }

  session(): Session | undefined {
    return this.#lifeline.session;
  }

  tell(watcher: Watcher, change: Change): void {
    if (!watcher.closed) this.#guarded(() => watcher.listener(change), 'watch');
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

  #notificationHandlers(): ReadonlyMap<string, NotificationHandler> {
    const handlers = new Map(this.#subscriptions.notifications());
    const toolsChanged = handlers.get('notifications/tools/list_changed');
    handlers.set('notifications/tools/list_changed', (params) => {
      this.#schemas.forget();
      toolsChanged?.(params);
    });
    const { onLog, onElicitComplete } = this.#options;
    if (onLog) handlers.set('notifications/message', (params) => onLog(params as unknown as LogParams));
    handlers.set('notifications/elicitation/complete', ({ elicitationId }: UnknownObject) => {
      if (this.#elicitation?.completes(String(elicitationId))) onElicitComplete?.(String(elicitationId));
    });
    return handlers;
  }

  async #setRoots(roots: RootSource): Promise<void> {
    if (this.#roots === undefined)
      throw new TypeError('Roots were not given to connect(), so they were not declared.');
    this.#roots.replace(roots);
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
