import {
  revisions as allRevisions,
  findRevision,
  type Implementation,
  type ReplayStore,
  type Revision,
  type ServerCapabilities,
  SessionError,
} from '@tenon/mcp-protocol';
import { ExtendedRevisions } from '@tenon/mcp-protocol/internal';
import {
  type Cancelled,
  type Clock,
  Deadlines,
  type KeepAliveOptions,
  type NotificationHandler,
  type RequestHandler,
  systemClock,
  WorkInFlight,
} from '@tenon/mcp-session';
import { describeCancelled, printable, withDefaults } from '@tenon/mcp-session/internal';
import { type Redactor, redactorOf } from '@tenon/redaction';
import { createSealer } from './asking/sealing.js';
import type { StateKey } from './asking/state-keys.js';
import { Audience } from './audience.js';
import { consoleReporter } from './console-reporter.js';
import { type CacheOptions, Capabilities, type Definition, lifetimeFlaw } from './definition.js';
import type { ServerExtension } from './extensions/extension.js';
import { OfferedExtensions } from './extensions/offered.js';
import { Features } from './feature.js';
import { defaultServerLimits, type ServerLimits } from './limits.js';
import { tellable } from './log-data.js';
import { type RateOptions, ratesOf } from './rates.js';
import type { Validator } from './schemas/validator.js';

/** How a server behaves; everything has a default. */
export interface ServerOptions {
  /** Guidance for the model on how to use the server. */
  readonly instructions?: string;
  /** Ids of the revisions to speak. Default: all. */
  readonly revisions?: readonly string[];
  readonly limits?: Partial<ServerLimits>;
  /** How often one caller may call tools and have arguments completed; false for no limit at all. */
  readonly rates?: false | RateOptions;
  readonly cache?: CacheOptions;
  /** Declares features that have no entry yet, so that clients listen for the first one. */
  readonly declare?: readonly ('tools' | 'prompts' | 'resources')[];
  /** Declares and sends log messages. Default true; deprecated by the newest revision. */
  readonly logging?: boolean;
  readonly experimental?: ServerCapabilities['experimental'];
  /** Extensions, each as `defineExtension` returned it. */
  readonly extensions?: readonly ServerExtension[];
  /**
   * Keys that seal the state of input requests while it travels through the client, current first: 32 bytes each, as
   * bytes, base64 or hex. Set it where several processes serve the same clients. Default: one random key per process.
   */
  readonly stateKeys?: readonly StateKey[];
  /** Milliseconds a client has to answer a round of questions. Default 10 minutes. */
  readonly stateLifetime?: number;
  /**
   * Accepts each state that travels through the client once, and refuses it with -32602 after that: a
   * {@link MemoryReplayStore}, or one that all processes with the same `stateKeys` share. Default: a state can be used again
   * by the same caller for `stateLifetime`, so that a client can repeat a request whose answer was lost.
   */
  readonly stateReplays?: ReplayStore;
  /** Pings silent peers in revisions that have pings, and ends connections that stay silent. Default: off. */
  readonly keepAlive?: KeepAliveOptions;
  /**
   * Validates plain JSON Schemas. Default: they are compiled to code by Ajv, and interpreted where compiling is not safe.
   * Where a runtime forbids generated code, give `interpreted` of `@tenon/mcp-server/interpreter`.
   */
  readonly validator?: Validator;
  /** Hears of every error that peers are not told of. Default: writes to the console's error stream. */
  readonly onError?: (error: unknown, where: string) => void;
  /**
   * Hears of each request in flight that a client cancels, by going away too where that is how it is done. Default: reasons clients give are written to the console's
   * error stream, unless `onError` is given.
   */
  readonly onCancelled?: (cancelled: Cancelled) => void;
  /**
   * Cleans log messages before they leave, and errors before the default `onError` writes them. By default they lose the
   * credentials that `redact` finds. A function, such as `thorough` of `@tenon/mcp-server/redaction`, is called with the
   * result and returns what may be shown. False shows everything.
   */
  readonly redact?: false | Redactor;
  /**
   * Sends the message of any `Error` that a handler throws to the caller, after `redact`; never its stack or data. By default
   * callers learn only that the tool failed, or "Internal error".
   */
  readonly exposeErrors?: boolean;
  /** Time, for tests. */
  readonly clock?: Clock;
}

/**
 * What features share, from what an author gives.
 * @throws TypeError or RangeError for options that cannot work.
 */
export function define(info: Implementation, options: ServerOptions): Definition {
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
  const clock = options.clock ?? systemClock;
  const onError = options.onError ?? consoleReporter(clock, redactorOf(options.redact, printable));
  const { experimental, extensions = [] } = options;
  const redact = redactorOf(options.redact, tellable);
  const limits = withDefaults(defaultServerLimits, options.limits);
  const { stateKeys: keys, stateLifetime: lifetime } = options;
  const spoken = new ExtendedRevisions(chosenRevisions(options.revisions));
  const requests = new Map<string, RequestHandler>();
  const notifications = new Map<string, NotificationHandler>();
  const capabilities = new Capabilities({ ...(experimental !== undefined && { experimental }) });
  return {
    info,
    instructions: options.instructions,
    revisions: spoken.all,
    spoken,
    limits,
    validator: checkedValidator(options.validator),
    rates: ratesOf(options.rates, clock),
    handling: {
      deadlines: new Deadlines(clock, limits.handlerTime),
      resultSize: limits.resultSize,
      work: new WorkInFlight(),
    },
    clock,
    audience: new Audience(onError),
    cache: checkedCache(options.cache),
    rounds: {
      sealer: createSealer({ keys, lifetime, size: limits.stateSize }),
      limits,
      replays: checkedReplays(options.stateReplays),
      onError,
    },
    onError,
    ...cancellationsTo(options, onError),
    redact,
    ...(options.exposeErrors === true && { exposed: (thrown: unknown) => messageOf(thrown, redact) }),
    requests,
    notifications,
    middleware: [],
    capabilities,
    features: new Features({ requests, notifications, capabilities, onError }),
    extensions: new OfferedExtensions(extensions, spoken),
  };
}

/** What callers may read of an error that was not meant for them; undefined for what is no error. */
function messageOf(thrown: unknown, redact: Redactor): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const shown = redact(thrown.message);
  return typeof shown === 'string' ? shown : undefined;
}

/** Who hears of cancellations, if anybody does. */
function cancellationsTo(
  { onCancelled, onError: own }: ServerOptions,
  report: Definition['onError'],
): Pick<Definition, 'onCancelled' | 'onGone'> {
  if (onCancelled !== undefined) return { onCancelled, onGone: onCancelled };
  if (own !== undefined) return {};
  return {
    onCancelled: (cancelled) => {
      if (cancelled.reason === undefined) return;
      report(new SessionError('cancelled', describeCancelled(cancelled)), 'notifications/cancelled');
    },
  };
}

function checkedValidator(validator: Validator | undefined): Validator | undefined {
  if (validator === undefined || typeof validator.compile === 'function') return validator;
  throw new TypeError(
    'validator must have a function "compile", as `interpreted` of @tenon/mcp-server/interpreter has.',
  );
}

function checkedReplays(replays: ReplayStore | undefined): ReplayStore | undefined {
  if (replays === undefined || typeof replays.remember === 'function') return replays;
  throw new TypeError('stateReplays must have a function "remember", as a MemoryReplayStore has.');
}

function checkedCache(cache: CacheOptions = {}): CacheOptions {
  const flaw = lifetimeFlaw(cache.lists);
  if (flaw !== undefined) throw new RangeError(`cache.lists ${flaw}.`);
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
