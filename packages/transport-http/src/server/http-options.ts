import {
  type Clock,
  type OptionRule,
  type OptionRules,
  optionRules,
  requireOptions,
  sameRule,
} from '@tenon/foundation';
import type { RequestGuardOptions } from './admission/request-guard-options.js';
import type { HttpLimits } from './call/http-limits.js';

/** Options for the sessions of the handshake revisions. */
export interface SessionOptions {
  /**
   * Answers every request with one JSON body, never with a stream: clients receive no progress and no input requests.
   * Default false.
   */
  readonly jsonOnly?: boolean | undefined;
}

/** Options of an HTTP server. Every option has a default. */
export interface HttpOptions extends RequestGuardOptions {
  /**
   * Sessions of the handshake revisions. With false, each of their requests is answered on its own, without a stream for
   * notifications and without input requests: for runtimes that keep no state between requests.
   */
  readonly sessions?: SessionOptions | false | undefined;
  readonly limits?: Partial<HttpLimits> | undefined;
  /**
   * Milliseconds that a client may leave sent bytes unread. Default 60,000; long answers have further time, a second for 32,768
   * bytes. After that the connection is closed.
   */
  readonly writeTimeout?: number | undefined;
  /** Receives errors that are not reported otherwise. */
  readonly onError?: ((error: unknown, where: string) => void) | undefined;
  /** The clock, for tests. */
  readonly clock?: Clock | undefined;
}

const rules: { readonly [Name in keyof Required<HttpOptions>]: OptionRule } = {
  // Checked where they are used.
  ...sameRule(optionRules.anything, 'allowedHosts', 'allowedOrigins', 'authenticate', 'clock', 'cors'),
  ...sameRule(optionRules.anything, 'limits', 'onError', 'remoteAddress', 'writeTimeout'),
  sessions: {
    is: 'false, or options such as { store, events, jsonOnly }',
    allows: (value) => value === false || typeof value === 'object',
  },
};

const allRules: OptionRules = new Map(Object.entries(rules));

/**
 * Checks that all options are known: a misspelt `authenticate` must not leave a server open.
 * @param more - rules in addition to those of every HTTP server.
 * @throws TypeError that names the option that was meant, or lists all.
 */
export function requireHttpOptions(options: object, more?: Readonly<Record<string, OptionRule>>): void {
  const known = more === undefined ? allRules : new Map([...allRules, ...Object.entries(more)]);
  requireOptions<object>('HTTP server', options, known);
}
