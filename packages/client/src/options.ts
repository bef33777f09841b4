import {
  type Clock,
  type OptionRule,
  optionRules,
  requireOptions,
  sameRule,
  withDefaults,
} from '@tenon/foundation';
import type { Redactor } from '@tenon/foundation/redaction';
import {
  type CapabilitySettings,
  type Implementation,
  type LogLevel,
  type LogParams,
  logLevels,
  type Revision,
  revisions,
} from '@tenon/mcp-protocol';
import type { Cancelled, KeepAliveOptions, Middleware, SessionLimits } from '@tenon/mcp-session';
import { defaultSessionLimits, requireExtensions, sessionBounds } from '@tenon/mcp-session/internal';
import type { ResponseCache } from './cache/response-cache.js';
import type { UnverifiedOutput } from './calls/output-schemas.js';
import { type ClientExtension, installation } from './extensions/installation.js';
import type { OnElicit, OnElicitUrl } from './features/elicitation.js';
import type { RootSource } from './features/roots.js';
import type { OnSample, SamplingSupport } from './features/sampling.js';
import type { InputRequestRates } from './input/input-request-rates.js';
import type { StateChange } from './session/connection-supervisor.js';
import type { UrlOptions } from './session/dialer.js';
import type { ReconnectPolicy } from './session/reconnect-policy.js';

/** Limits of a client. */
export interface ClientLimits extends SessionLimits {
  /** Bytes that one list takes in memory: each of its values counts as 32 at least. More for servers with huge lists. Default: 64 MiB. */
  readonly listBytes: number;
  /** Rounds of input requests of one call. Fewer for servers that are not trusted. Default: 32. */
  readonly rounds: number;
}

/** The limits of a client with the bounds that are not options. */
export type ClientBounds = ClientLimits & Readonly<typeof sessionBounds> & Readonly<typeof clientBounds>;

/** Bounds of a client that are not options. */
export const clientBounds = {
  /** Pages read of one list. */
  pages: 100,
  /** Tools with stored output schema and headers. */
  knownTools: 10_000,
  /** Watches at the same time. */
  watches: 1_024,
  /** Milliseconds before a call is sent again after a round without input requests; doubled with each such round. */
  roundDelay: 100,
  /** The longest such wait in milliseconds. */
  maxRoundDelay: 10_000,
  /** Input requests of one round. */
  inputRequests: 64,
  /** Icons of one tool, prompt, resource or server. */
  icons: 16,
  /** Characters of an image inside the list. */
  iconLength: 131_072,
};

/** Further capabilities, besides those of handlers and extensions. */
export interface ExtraCapabilities extends SamplingSupport {
  readonly experimental?: { readonly [key: string]: CapabilitySettings };
}

/** Options of `connect`. Capabilities follow from the handlers. */
export interface ClientOptions extends UrlOptions {
  /** The client info. */
  readonly info: Implementation;
  /** Supports this revision only. */
  readonly revision?: string;
  /** Supports these revisions only. */
  readonly revisions?: readonly string[];
  readonly onElicit?: OnElicit;
  readonly onElicitUrl?: OnElicitUrl;
  /** Called when the server reports that a page is completed; 2025-11-25 only. */
  readonly onElicitComplete?: (elicitationId: string) => void;
  /** @deprecated by 2026-07-28. */
  readonly onSample?: OnSample;
  /** @deprecated by 2026-07-28. */
  readonly roots?: RootSource;
  /** @deprecated by 2026-07-28. */
  readonly onLog?: (message: LogParams) => void;
  /**
   * Redacts log messages before `onLog` receives them. By default credentials are removed as `redact` finds them, and
   * control characters for terminals; a function receives the rest and returns the printable value; false removes nothing.
   */
  readonly redact?: false | Redactor;
  /** The least severe log level. @deprecated by 2026-07-28. */
  readonly logLevel?: LogLevel;
  readonly capabilities?: ExtraCapabilities;
  /** Extensions of the protocol, each as `defineExtension` returned it, or a package that implements one. */
  readonly extensions?: readonly ClientExtension[];
  /**
   * Wraps every call, once however many requests it takes, and every request of the server; the first is outermost. The requests that
   * open and keep a connection are wrapped as well.
   */
  readonly middleware?: readonly Middleware[];
  /** Called with each change of state, beginning with `open`. */
  readonly onStateChange?: (change: StateChange) => void;
  /**
   * Receives errors that no call rejects with: dropped messages, throwing listeners, rejected schemas, and each connection
   * that is lost (`where` is `connection`).
   */
  readonly onError?: (error: unknown, where: string) => void;
  /**
   * Writes each message sent and received, each change of state and each error that `onError` receives to the console's error
   * stream, for a person who looks for a mistake: one line each with method, id and duration, without the credentials that
   * `redact` finds, at most 1,000 characters of its content. Default: false.
   */
  readonly debug?: boolean;
  /** Called for each running input request that the server cancels, in revisions with such cancellations. */
  readonly onCancelled?: (cancelled: Cancelled) => void;
  /**
   * Cancels connecting. The error has the last lines that a child process printed on stderr. It has no effect later: use
   * `close`.
   */
  readonly signal?: AbortSignal;
  /**
   * Milliseconds for the handshake, from the start of the server. More for servers that start slowly. A program that prints something else in
   * place of its first message has half of that. Half of it, 5,000 at most, is for the answer to the probe; silence means an older server. Default:
   * 5,000 and `limits.requestTimeout` together. Over HTTP it is the time for each answer of the handshake, by default `limits.requestTimeout`.
   */
  readonly connectTimeout?: number;
  /** Options of reconnecting; false to never reconnect. */
  readonly reconnect?: false | Partial<ReconnectPolicy>;
  /** Pings a silent server in revisions with pings, and replaces the connection if it stays silent. Default: off. */
  readonly keepAlive?: KeepAliveOptions;
  /**
   * Caches lists, resources and the server info while they are fresh: in a
   * {@link MemoryCache} of the client, in a shared cache, or not at all (false). Default: a cache of the client.
   */
  readonly cache?: false | ResponseCache;
  /**
   * The user of this client. Clients that share a cache also share private responses if they have the same identity,
   * so use one identity for one user with one set of permissions. Default: private responses are not shared.
   */
  readonly identity?: string;
  /**
   * The policy for structured content that cannot be checked: the output schema refers to something outside
   * itself, is broken or too large, or the check would take too long. Default `reject`: the call rejects with
   * `SessionError` `invalid-answer`. With `accept` the result is returned unchecked, and `onError` is called once for each tool.
   */
  readonly unverifiedOutput?: UnverifiedOutput;
  readonly limits?: Partial<ClientLimits>;
  /**
   * The rate limits of input requests, reconnections included; false for no limit.
   * Faster requests are rejected before they reach a handler; `onError` is called once for each burst.
   */
  readonly rates?: false | InputRequestRates;
  readonly clock?: Clock;
  /** A number from 0 up to 1, for jitter. */
  readonly random?: () => number;
}

/** The options of `connect`: another name of {@link ClientOptions}. */
export type ConnectOptions = ClientOptions;

const defaultClientLimits: ClientLimits = { ...defaultSessionLimits, listBytes: 67_108_864, rounds: 32 };

/** @throws TypeError if the options have no client info. */
function requireInfo(options: ClientOptions | undefined): void {
  const { name, version } = options?.info ?? {};
  if (typeof name === 'string' && name !== '' && typeof version === 'string' && version !== '') return;
  throw new TypeError(
    'A client needs a name and a version, such as { info: { name: "my-agent", version: "1.0.0" } }.',
  );
}

/**
 * Returns the supported revisions of a client, newest first.
 * @throws RangeError for a name that is not a published revision.
 */
export function revisionsOf(options: ClientOptions): readonly Revision[] {
  const names = options.revision === undefined ? options.revisions : [options.revision];
  if (names === undefined) return revisions;
  const unknown = names.find((name) => !revisions.some((one) => one.id === name));
  if (unknown !== undefined || names.length === 0) {
    const known = revisions.map((one) => one.id).join(', ');
    throw new RangeError(
      `${unknown === undefined ? 'No revision is left' : `"${unknown}" is not a revision`}: there are ${known}.`,
    );
  }
  return revisions.filter((one) => names.includes(one.id));
}

/** Returns the limits with their defaults. @throws RangeError for a limit that is not a positive number. */
export function limitsOf({ limits }: ClientOptions): ClientBounds {
  return withDefaults(defaultClientLimits, limits, { ...sessionBounds, ...clientBounds });
}

const { anything, callable, flag, notNegative, object, positive, text } = optionRules;

const rules: { readonly [Name in keyof Required<ClientOptions>]: OptionRule } = {
  info: object,
  revision: anything,
  revisions: { is: 'a list of names of revisions', allows: Array.isArray },
  onElicit: callable,
  onElicitUrl: callable,
  onElicitComplete: callable,
  onSample: callable,
  roots: anything,
  onLog: callable,
  redact: anything,
  logLevel: { is: `one of ${logLevels.join(', ')}`, allows: (value) => logLevels.includes(value as never) },
  capabilities: object,
  extensions: { is: 'a list of extensions', allows: Array.isArray },
  middleware: {
    is: 'a list of functions',
    allows: (value) => Array.isArray(value) && value.every(callable.allows),
  },
  onStateChange: callable,
  onError: callable,
  debug: flag,
  onCancelled: callable,
  signal: { is: 'an AbortSignal', allows: (value) => has(value, ['addEventListener']) },
  connectTimeout: positive,
  reconnect: {
    is: 'false, or an object such as { attempts: 10 }',
    allows: (value) => value === false || object.allows(value),
  },
  keepAlive: object,
  cache: {
    is: 'false, or a ResponseCache such as new MemoryCache()',
    allows: (value) => value === false || has(value, ['mark', 'get', 'set', 'delete', 'drop']),
  },
  // Objects would all become the same text, and private responses would be shared.
  identity: text,
  unverifiedOutput: anything,
  limits: object,
  rates: { is: 'false, or an object of rates', allows: (value) => value === false || object.allows(value) },
  clock: { is: 'a Clock', allows: (value) => has(value, ['now', 'schedule']) },
  random: callable,
  headers: {
    is: 'an object, or a function that gives one',
    allows: (value) => object.allows(value) || callable.allows(value),
  },
  auth: {
    is: 'an AuthProvider, such as oauth(...) of @tenon/mcp-auth/client',
    allows: (value) => has(value, ['authorizer']),
  },
  fetch: callable,
};

/**
 * Rejects options that are misspelt or have the wrong type.
 * @throws TypeError with the list of options, or if there is no client info; RangeError for a number that is out of range.
 */
export function requireClientOptions(options: ClientOptions): void {
  requireInfo(options);
  requireOptions('connect', options, rules);
  const { capabilities, extensions = [], keepAlive, reconnect } = options;
  requireExtensions(extensions, { call: 'connect', from: '@tenon/mcp-client', mark: installation });
  if (capabilities) {
    if ('extensions' in capabilities)
      throw new TypeError(
        'capabilities: extensions are an option of their own: connect(target, { extensions: [defineExtension({ id: "com.example/search", settings: {} })] }).',
      );
    requireOptions('capabilities', capabilities, {
      experimental: object,
      samplingTools: flag,
      samplingContext: flag,
    });
  }
  if (keepAlive) requireOptions('keepAlive', keepAlive, { interval: positive });
  if (reconnect) {
    const reconnectRules = sameRule(notNegative, 'attempts', 'delay', 'maxDelay');
    requireOptions<Partial<ReconnectPolicy>>('reconnect', reconnect, reconnectRules);
  }
}

function has(value: unknown, methods: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return methods.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === 'function');
}
