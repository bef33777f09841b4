import type { CapabilitySettings, Implementation, LogLevel, LogParams, Revision } from '@tenon/mcp-protocol';
import { revisions } from '@tenon/mcp-protocol';
import type { Cancelled, Clock, KeepAliveOptions, Middleware, SessionLimits } from '@tenon/mcp-session';
import { withDefaults } from '@tenon/mcp-session/internal';
import type { Redactor } from '@tenon/redaction';
import type { AskRates } from './ask-rates.js';
import type { UrlOptions } from './dialer.js';
import type { ClientExtension } from './extensions/extension.js';
import type { OnElicit, OnElicitUrl } from './features/elicitation.js';
import type { IconLimits } from './features/icons.js';
import type { RootSource } from './features/roots.js';
import type { OnSample, SamplingSupport } from './features/sampling.js';
import type { StateChange } from './lifeline.js';
import type { UnverifiedOutput } from './output-schemas.js';
import type { ReconnectPolicy } from './reconnect-policy.js';
import type { ResponseCache } from './response-cache.js';

/** Bounds of a client beside those of its conversation; see {@link defaultClientLimits}. */
export interface ClientLimits extends SessionLimits, IconLimits {
  /** Pages read of one list. */
  readonly pages: number;
  /** Tools whose output schema is kept, and whose headers are. */
  readonly knownTools: number;
  /** Watches at the same time. */
  readonly watches: number;
  /** Rounds of input one call may ask for. */
  readonly rounds: number;
  /** Milliseconds before a call that ended in a round without questions is sent again; doubled with each such round. */
  readonly roundDelay: number;
  /** What that doubles up to. */
  readonly maxRoundDelay: number;
  /** Questions one round may ask. */
  readonly asks: number;
}

/** What a client declares beside what follows from its handlers and extensions. */
export interface ExtraCapabilities extends SamplingSupport {
  readonly experimental?: { readonly [key: string]: CapabilitySettings };
}

/** How a client presents itself, what it answers, and how patient it is. Capabilities follow from the handlers. */
export interface ClientOptions extends UrlOptions {
  /** What this client says of itself. */
  readonly info: Implementation;
  /** Speaks this revision and no other. */
  readonly revision?: string;
  /** Speaks only these revisions. */
  readonly revisions?: readonly string[];
  readonly onElicit?: OnElicit;
  readonly onElicitUrl?: OnElicitUrl;
  /** Told once a page the user was sent to is done; 2025-11-25 alone. */
  readonly onElicitComplete?: (elicitationId: string) => void;
  /** @deprecated by 2026-07-28. */
  readonly onSample?: OnSample;
  /** @deprecated by 2026-07-28. */
  readonly roots?: RootSource;
  /** @deprecated by 2026-07-28. */
  readonly onLog?: (message: LogParams) => void;
  /**
   * What becomes of log messages before `onLog` hears of them: by default they lose credentials as `redact` finds them, and
   * what a terminal would obey; a function gets what is left, and returns what may be shown; false leaves everything in.
   */
  readonly redact?: false | Redactor;
  /** Least severe log level wanted. @deprecated by 2026-07-28. */
  readonly logLevel?: LogLevel;
  readonly capabilities?: ExtraCapabilities;
  /** Extensions of the protocol, each made by `defineExtension` or by a package that implements one. */
  readonly extensions?: readonly ClientExtension[];
  /** Sees every request in both directions; the first is outermost. */
  readonly middleware?: readonly Middleware[];
  /** Hears of each change of state, beginning with `open`. */
  readonly onState?: (change: StateChange) => void;
  /** Hears of what no caller hears of: dropped messages, throwing listeners, schemas that were refused. */
  readonly onError?: (error: unknown, where: string) => void;
  /** Hears of each question being asked that the server takes back, in revisions where it can. */
  readonly onCancelled?: (cancelled: Cancelled) => void;
  /** Gives up connecting. Once connected, it has no effect: `close` ends the client. */
  readonly signal?: AbortSignal;
  /**
   * Milliseconds a server has to answer the probe: 5,000 by default where silence means an older server, and over HTTP,
   * where it means nothing, as long as any request.
   */
  readonly probeTimeout?: number;
  /** How a lost connection is replaced; false for never. */
  readonly reconnect?: false | Partial<ReconnectPolicy>;
  /** Pings a silent server in revisions that have pings, and replaces the connection when it stays silent; off by default. */
  readonly keepAlive?: KeepAliveOptions;
  /**
   * Keeps lists, resources and the server's description for as long as the server says they are fresh: in a
   * {@link MemoryCache} of the client's own by default, in one that clients share, or not at all.
   */
  readonly cache?: false | ResponseCache;
  /**
   * Whom this client acts for. Clients that share a cache also share private responses where they name the same identity,
   * so it must stand for one user and one set of permissions. By default nobody shares them.
   */
  readonly identity?: string;
  /**
   * What to do with a tool's structured content that cannot be checked: its output schema refers to something outside
   * itself, is broken or too large, or the check would take too long. Default `reject`: the call rejects with
   * `SessionError` `invalid-answer`. With `accept` the result is returned unchecked, and `onError` is called once for each tool.
   */
  readonly unverifiedOutput?: UnverifiedOutput;
  readonly limits?: Partial<ClientLimits>;
  /**
   * How often the server may ask the model, the user and for the roots, reconnections included; false for no limit at all.
   * What comes faster is refused before a handler hears of it; `onError` hears once of each burst.
   */
  readonly rates?: false | AskRates;
  readonly clock?: Clock;
  /** A number from 0 up to 1, for jitter. */
  readonly random?: () => number;
}

/** Pages of one list, tools known, watches, rounds of input and questions in one; the rest as in every session. */
export const defaultClientLimits: Omit<ClientLimits, keyof SessionLimits> = {
  pages: 1_000,
  knownTools: 10_000,
  watches: 1_024,
  rounds: 32,
  roundDelay: 100,
  maxRoundDelay: 10_000,
  asks: 64,
  icons: 16,
  iconLength: 131_072,
};

/** @throws TypeError unless the options say who the client is. */
export function requireInfo(options: ClientOptions | undefined): void {
  const { name, version } = options?.info ?? {};
  if (typeof name === 'string' && name !== '' && typeof version === 'string' && version !== '') return;
  throw new TypeError(
    'A client needs a name and a version, such as { info: { name: "my-agent", version: "1.0.0" } }.',
  );
}

/**
 * The revisions a client may speak, newest first.
 * @throws RangeError for a name that is no published revision.
 */
export function revisionsOf(options: ClientOptions): readonly Revision[] {
  const names = options.revision === undefined ? options.revisions : [options.revision];
  if (names === undefined) return revisions;
  const unknown = names.find((name) => !revisions.some((one) => one.id === name));
  if (unknown !== undefined || names.length === 0) {
    const known = revisions.map((one) => one.id).join(', ');
    throw new RangeError(
      `${unknown === undefined ? 'No revision is left' : `"${unknown}" is no revision`}: there are ${known}.`,
    );
  }
  return revisions.filter((one) => names.includes(one.id));
}

/** Fills in the limits. @throws RangeError for a bound that is not a positive number. */
export function limitsOf(options: ClientOptions, session: SessionLimits): ClientLimits {
  return withDefaults<ClientLimits>({ ...session, ...defaultClientLimits }, options.limits);
}
