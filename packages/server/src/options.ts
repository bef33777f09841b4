import {
  revisions as allRevisions,
  extensionIdFlaw,
  findRevision,
  type Implementation,
  type Revision,
  type ServerCapabilities,
} from '@tenon/mcp-protocol';
import {
  type Clock,
  type KeepAliveOptions,
  type RequestHandler,
  systemClock,
  withDefaults,
} from '@tenon/mcp-session';
import { createSealer, type StateKey } from './asking/sealing.js';
import { Audience } from './audience.js';
import { consoleReporter } from './console-reporter.js';
import { type CacheOptions, Capabilities, type Definition, lifetimeFlaw } from './definition.js';
import { defaultServerLimits, type ServerLimits } from './limits.js';

/** How a server behaves; everything has a default. */
export interface ServerOptions {
  /** Guidance for the model on how to use the server. */
  readonly instructions?: string;
  /** Ids of the revisions to speak. Default: all. */
  readonly revisions?: readonly string[];
  readonly limits?: Partial<ServerLimits>;
  readonly cache?: CacheOptions;
  /** Declares features that have no entry yet, so that clients listen for the first one. */
  readonly declare?: readonly ('tools' | 'prompts' | 'resources')[];
  /** Declares and sends log messages. Default true; deprecated by the newest revision. */
  readonly logging?: boolean;
  readonly experimental?: ServerCapabilities['experimental'];
  /** Settings of extensions, by identifier. */
  readonly extensions?: ServerCapabilities['extensions'];
  /**
   * Keys that seal what travels through the client between rounds of questions, current first: 32 bytes each, as
   * bytes, base64 or hex. Default: one random key per process; set it where several processes serve the same clients.
   */
  readonly stateKeys?: readonly StateKey[];
  /** Milliseconds a client has to answer a round of questions. Default 10 minutes. */
  readonly stateLifetime?: number;
  /** Pings silent peers in revisions that have pings, and ends connections that stay silent. Default: off. */
  readonly keepAlive?: KeepAliveOptions;
  /** Hears of every error that peers are not told of. Default: writes to the console's error stream. */
  readonly onError?: (error: unknown, where: string) => void;
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
  const onError = options.onError ?? consoleReporter(clock);
  const { experimental, extensions } = options;
  for (const identifier of Object.keys(extensions ?? {})) {
    const flaw = extensionIdFlaw(identifier);
    if (flaw !== undefined) throw new TypeError(`Extension "${identifier}" ${flaw}.`);
  }
  const limits = withDefaults(defaultServerLimits, options.limits);
  const { stateKeys: keys, stateLifetime: lifetime } = options;
  return {
    info,
    instructions: options.instructions,
    revisions: chosenRevisions(options.revisions),
    limits,
    clock,
    audience: new Audience(onError),
    cache: checkedCache(options.cache),
    rounds: { sealer: createSealer({ keys, lifetime, size: limits.stateSize }), limits, onError },
    onError,
    requests: new Map<string, RequestHandler>(),
    middleware: [],
    capabilities: new Capabilities({
      ...(experimental !== undefined && { experimental }),
      ...(extensions !== undefined && { extensions }),
    }),
  };
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
