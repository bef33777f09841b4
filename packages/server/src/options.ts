import { type Clock, systemClock, withDefaults } from '@tenon/foundation';
import { type Redactor, redactorOf } from '@tenon/foundation/redaction';
import {
  revisions as allRevisions,
  findRevision,
  type Implementation,
  type Revision,
  type ServerCapabilities,
} from '@tenon/mcp-protocol';
import { ExtendedRevisions, isOverQuota } from '@tenon/mcp-protocol/internal';
import {
  type Behaviour,
  type Cancelled,
  Deadlines,
  type KeepAliveOptions,
  type Middleware,
  type NotificationHandler,
  type RequestHandler,
  RequestObserver,
  WorkInFlight,
} from '@tenon/mcp-session';
import { callSafely, describeCancelled, printable } from '@tenon/mcp-session/internal';
import type { State } from '@tenon/mcp-state';
import { type RateOptions, ratesOf } from './budget/rates.js';
import type { ContextParts } from './context/context.js';
import { CustomShapes } from './context/custom-shapes.js';
import { tellable } from './context/logging.js';
import { Audience } from './core/audience.js';
import { type CacheOptions, lifetimeProblem } from './core/cache-hints.js';
import { Capabilities } from './core/capabilities.js';
import { consoleReporter, isDevelopment } from './core/console-reporter.js';
import { development } from './core/development.js';
import { Features } from './core/feature.js';
import { defaultServerLimits, type ServerBounds, type ServerLimits, serverBounds } from './core/limits.js';
import { type ServerEventListener, ServerEvents } from './core/server-events.js';
import { ServerGuard } from './core/server-guard.js';
import { type Logger, logListener } from './core/server-log.js';
import type { ExtensionParts } from './extensions/detached-run.js';
import { installationOf, type ServerExtension } from './extensions/installation.js';
import type { LifecycleParts } from './lifecycle.js';
import type { EntryParts } from './lists/list.js';
import { loadRunCode } from './run/loading.js';
import type { RunOptions } from './run/run.js';
import type { Validator } from './schemas/validator.js';
import { createSealer, type StateKey, usedStates } from './sealing/sealing.js';

/** Options of a server. All are optional. */
export interface ServerOptions {
  /** Instructions for the model on how to use the server. */
  readonly instructions?: string;
  /** Ids of the revisions to speak. Default: all. */
  readonly revisions?: readonly string[];
  readonly limits?: Partial<ServerLimits>;
  /** Rate limits of one caller for tools, custom methods and completions; false for no limit. */
  readonly rates?: false | RateOptions;
  readonly cache?: CacheOptions;
  /** Features to declare before their first entry, so that clients listen for it. */
  readonly declare?: readonly ('tools' | 'prompts' | 'resources')[];
  /** True to declare and send log messages. Default: true. Deprecated by the newest revision. */
  readonly logging?: boolean;
  readonly experimental?: ServerCapabilities['experimental'];
  /** Extensions, each as `defineExtension` returned it. */
  readonly extensions?: readonly ServerExtension[];
  /**
   * Keys that seal the state of input requests while it travels through the client, current first: 32 bytes each, as
   * bytes, base64 or hex. Default: keys that all processes with the same `state` share, and that `rotateStateKeys` replaces; one
   * random key per process without shared state. Keys in the state can be read by all that can read its backend; these are not in it.
   */
  readonly stateKeys?: readonly StateKey[];
  /** Milliseconds that a client has to answer a round of input requests. Default: 10 minutes. */
  readonly stateLifetime?: number;
  /**
   * True to accept each sealed state once: a second use fails with -32602, in all processes that share `state`. Default: false. A
   * state can then be used again by the same caller for `stateLifetime`, so that a client can repeat a request after a lost answer.
   */
  readonly singleUseState?: boolean;
  /**
   * State that all processes with the same server share, such as `redisState(url)` of `@tenon/mcp-state-redis`: any process then
   * serves any session. Default: each process has its own sessions.
   */
  readonly state?: State;
  /** Pings silent peers in revisions that have pings, and ends connections that stay silent. Default: off. */
  readonly keepAlive?: KeepAliveOptions;
  /**
   * Validates plain JSON Schemas. Default: they are compiled to code by Ajv, and interpreted where compiling is not safe.
   * If a runtime forbids generated code, use `interpreter()` of `@tenon/mcp-server/interpreter`.
   */
  readonly validator?: Validator;
  /** Receives every error that is not sent to peers. Default: writes to the console's error stream. */
  readonly onError?: (error: unknown, where: string) => void;
  /**
   * Receives an event for each request, refusal, session, lost call and error; an instance of pino writes them as lines. It is called
   * after the work that an event tells of: it delays no answer, and its errors are ignored. Arguments and results are not in events.
   * Without `onError`, errors are written here instead of to the console. Default: no events are made.
   */
  readonly log?: Logger | ServerEventListener;
  /**
   * Writes every such error with its stack to the console's error stream, also if `onError` is set. Callers receive no
   * additional details. Default: true if the environment has `NODE_ENV=development`.
   */
  readonly debug?: boolean;
  /**
   * Receives each running request that a client cancels, also by closing its connection in transports where that cancels. Default: the reasons of clients are written to the console's
   * error stream, unless `onError` is set.
   */
  readonly onCancelled?: (cancelled: Cancelled) => void;
  /**
   * Cleans log messages before they are sent, and errors before the default `onError` writes them. Default: removes the
   * credentials that `redact` finds. A function, such as `thorough` of `@tenon/mcp-server/redaction`, is called with the
   * result and returns the text to show. False disables it.
   */
  readonly redact?: false | Redactor;
  /**
   * Sends the message of any `Error` that a handler throws to the caller, after `redact`; never its stack or data. By default
   * callers receive only that the tool failed, or "Internal error".
   */
  readonly exposeErrors?: boolean;
  /** The clock, for tests. */
  readonly clock?: Clock;
}

/** The parts of one server, each passed to what needs it. They contain no data of a peer. */
export interface ServerParts extends EntryParts, LifecycleParts, ExtensionParts {
  readonly context: ContextParts;
  readonly middleware: Middleware[];
  readonly events: ServerEvents;
  /** The given extensions, without those that need state which the server does not share. */
  readonly extensions: readonly ServerExtension[];
  /** The behaviour of every connection. */
  readonly behaviour: Behaviour;
  readonly notifications: ReadonlyMap<string, NotificationHandler>;
}

type Report = (error: unknown, where: string) => void;

/** The values that all parts share. */
interface Shared {
  readonly clock: Clock;
  readonly limits: ServerBounds;
  readonly onError: Report;
}

/**
 * Returns the parts of a server, from the author's options.
 * @throws TypeError or RangeError if an option is invalid.
 */
export function partsOf(info: Implementation, options: ServerOptions): ServerParts {
  requireInfo(info);
  const clock = options.clock ?? systemClock;
  const events = new ServerEvents();
  const onError = reporterOf(options, clock, events);
  const { experimental } = options;
  const redact = redactorOf(options.redact, tellable);
  const limits = withDefaults(limitsFor(stateOf(options)), options.limits, serverBounds);
  const counted = countedBy(info, options, { clock, onError, limits });
  const extensions = (options.extensions ?? []).filter(
    ({ needsSharedState }) => needsSharedState !== true || counted.processes !== undefined,
  );
  const spoken = new ExtendedRevisions(chosenRevisions(options.revisions));
  const requests = new Map<string, RequestHandler>();
  const notifications = new Map<string, NotificationHandler>();
  const capabilities = new Capabilities({ ...(experimental !== undefined && { experimental }) });
  const installed = installationOf(extensions);
  const validator = checkedValidator(options.validator);
  const shapes = new CustomShapes(spoken, { validator, bounds: limits });
  const offered = installed?.offer(extensions, spoken);
  const runs = {
    ...runsOf(options, { ...counted, clock, limits, onError }),
    intercept: installed?.interceptInput(extensions, { extensions: offered, shapes }),
    interceptDetached: installed?.interceptDetached(extensions),
  };
  const context = { clock, limits, onError, redact, capabilities, extensions: offered, shapes, validator };
  const deadlines = new Deadlines(clock, limits.handlerTime);
  const middleware: Middleware[] = extensions.flatMap((extension) => extension.middleware ?? []);
  const revisions = spoken.all;
  const behaviour: Behaviour = {
    side: 'server',
    ...{ info, revisions, requests, middleware, limits, clock, onError },
    roundOf: async (request) => (await loadRunCode()).roundOf(runs, request),
    carriedBy: async (request) =>
      request.params.requestState === undefined ? {} : (await loadRunCode()).carriedBy(runs, request),
    handling: { deadlines, resultSize: limits.resultSize, work: new WorkInFlight() },
    ...(options.exposeErrors === true && { exposed: (thrown: unknown) => messageOf(thrown, redact) }),
    ...cancellationsTo(options, onError),
  };
  observeWith(events, behaviour, new RequestObserver(events, clock));
  return {
    ...counted,
    info,
    extensions,
    instructions: options.instructions,
    revisions,
    behaviour,
    notifications,
    context,
    runs,
    deadlines,
    middleware,
    events,
    serverGuard: new ServerGuard(),
    audience: new Audience(onError),
    cache: checkedCache(options.cache),
    features: new Features({ requests, notifications, capabilities, onError, clock, limits }),
    subscriptions: { limits, onError, text: { held: 0 } },
  };
}

function requireInfo(info: Implementation): void {
  if (
    typeof info !== 'object' ||
    info === null ||
    typeof info.name !== 'string' ||
    info.name === '' ||
    typeof info.version !== 'string' ||
    info.version === ''
  ) {
    throw new TypeError(
      'A server needs a name and a version, such as { name: "weather", version: "1.0.0" }.',
    );
  }
}

/** Returns the state of a server. In development, the program that runs the server has one. */
function stateOf({ state }: Pick<ServerOptions, 'state'>): State | undefined {
  return state ?? development()?.state;
}

/** Returns the default limits of a server. A caller may use a quarter of the state. */
function limitsFor(state: State | undefined): ServerLimits {
  if (state?.bytes === undefined) return defaultServerLimits;
  return { ...defaultServerLimits, stateBytesPerCaller: state.bytes / 4 };
}

/** Returns the parts of a server that make input requests. */
function runsOf(
  { stateKeys: keys, stateLifetime: lifetime, singleUseState }: ServerOptions,
  { processes, state, clock, limits, onError }: Shared & Pick<ServerParts, 'processes' | 'state'>,
): RunOptions {
  const shared = processes && { processes, clock, onError };
  return {
    sealer: createSealer({ keys, shared, lifetime, size: limits.stateSize }),
    limits,
    replays: singleUseState === true ? usedStates(state) : undefined,
    onError,
  };
}

/** Returns the parts of a server that count or remember in its shared state, if it has one. */
function countedBy(
  { name }: Implementation,
  { rates, clock: given, ...options }: ServerOptions,
  { clock, onError, limits }: Shared,
): Pick<ServerParts, 'state' | 'processes' | 'rates'> {
  const { stateBytesPerCaller: bytesPerCaller } = limits;
  const state = stateOf(options);
  const processes = state?.join?.({ name, clock, onError, bytesPerCaller });
  if (processes === undefined) return { state, processes, rates: ratesOf(rates, clock) };
  return {
    // Not the option: servers with other names may use the same value.
    state: processes.state,
    processes,
    // Processes compare times: the clock of one process does not do.
    rates: ratesOf(rates, clock, { state: processes.state, clock: given ?? Date, onError }),
  };
}

/** Sets the observer of requests while there are listeners: without one, a request takes no step more. */
function observeWith(events: ServerEvents, behaviour: Behaviour, observer: RequestObserver): void {
  events.onActive((isActive) => {
    behaviour.observer = isActive ? observer : undefined;
  });
}

/** Returns the receiver of errors. The state reports refusals that callers cause as often as they like. */
function reporterOf(options: ServerOptions, clock: Clock, events: ServerEvents): Report {
  const shown = redactorOf(options.redact, printable);
  if (options.log !== undefined) events.add(logListener(options.log));
  const report = listenerOf(options, clock, shown);
  return (error, where) => {
    if (isOverQuota(error)) return;
    report?.(error, where);
    if (events.active && !toldByEvents.has(where))
      events.emit({ type: 'failure', where, error: textOfError(shown(error)) });
  };
}

function textOfError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? String(error)) : String(error);
}

/** Errors that have events of their own. */
const toldByEvents: ReadonlySet<string> = new Set(['continued call', 'lost call']);

/** Returns the receiver of errors besides the log; undefined if the log suffices. */
function listenerOf(options: ServerOptions, clock: Clock, shown: Redactor): Report | undefined {
  const { debug = isDevelopment() || development() !== undefined } = options;
  const own = options.onError && received(options.onError);
  if (!debug && (own !== undefined || options.log !== undefined)) return own;
  const hook = development();
  const written =
    hook === undefined
      ? consoleReporter(clock, { shown, stacks: debug })
      : (error: unknown, where: string) => hook.failed(shown(error), where);
  if (own === undefined) return written;
  return (error, where) => {
    written(error, where);
    own(error, where);
  };
}

/** Returns the function of the application that receives errors. Its own errors cannot be reported. */
function received(onError: Report): Report {
  return (error, where) => callSafely({ onError: () => {} }, where, () => onError(error, where));
}

/** Returns the message of an internal error for callers; undefined if the value is not an error. */
function messageOf(thrown: unknown, redact: Redactor): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const shown = redact(thrown.message);
  return typeof shown === 'string' ? shown : undefined;
}

/** Returns the receiver of cancellations, if there is one. */
function cancellationsTo(
  { onCancelled, onError: own }: ServerOptions,
  report: Report,
): Pick<Behaviour, 'onCancelled' | 'onGone'> {
  if (onCancelled !== undefined) return { onCancelled, onGone: onCancelled };
  // Where a development tool runs the server, the tool prints each call with its outcome.
  if (own !== undefined || development() !== undefined) return {};
  return {
    onCancelled: (cancelled) => {
      // A text, not an error: the stack of this function would say nothing.
      if (cancelled.reason !== undefined) report(describeCancelled(cancelled), 'notifications/cancelled');
    },
  };
}

function checkedValidator(validator: Validator | undefined): Validator | undefined {
  if (validator === undefined || typeof validator.compile === 'function') return validator;
  throw new TypeError(
    'validator must have a function "compile", as `interpreter()` of @tenon/mcp-server/interpreter has.',
  );
}

function checkedCache(cache: CacheOptions = {}): CacheOptions {
  const problem = lifetimeProblem(cache.lists);
  if (problem !== undefined) throw new RangeError(`cache.lists ${problem}.`);
  return cache;
}

function chosenRevisions(ids: readonly string[] | undefined): readonly Revision[] {
  if (ids === undefined) return allRevisions;
  for (const id of ids) {
    if (findRevision(id) === undefined) {
      throw new RangeError(
        `Unknown revision "${id}". Known: ${allRevisions.map((one) => one.id).join(', ')}.`,
      );
    }
  }
  if (ids.length === 0) throw new RangeError('A server must speak at least one revision.');
  return allRevisions.filter((one) => ids.includes(one.id));
}
