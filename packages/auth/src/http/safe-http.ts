import type { Clock } from '@tenon/mcp-protocol';
import { isUrl } from '@tenon/mcp-protocol/internal';
import { optionRules, requireOptions, withDefaults } from '@tenon/mcp-session/internal';
import { network } from '#network';
import { AuthError } from '../auth-error.js';
import { wallClock } from '../wall-clock.js';
import { AddressPolicy, forbidden } from './address-policy.js';
import { fetchSender, type OauthFetch } from './fetch-sender.js';
import type { Hop, HopAnswer, HopSender } from './hop.js';
import type { Lookup } from './lookup.js';
import type { OauthAnswer, OauthHttp, OauthRequest } from './oauth-http.js';
import { requestFailure } from './request-failure.js';
import { withinTime } from './within-time.js';

/** How much one exchange may take. */
export interface OauthHttpLimits {
  /** Bytes of one answer; 262,144 by default. */
  readonly bytes: number;
  /** Milliseconds for one exchange, redirects included; 10,000 by default. */
  readonly timeout: number;
}

/** The limits where none are given. */
export const defaultOauthHttpLimits: OauthHttpLimits = { bytes: 262_144, timeout: 10_000 };

/** What may be reached, and how. */
export interface SafeHttpOptions {
  /**
   * The address that was configured, rather than told by a peer: its origin may be reached in any case, and how private it
   * is says what else may be.
   */
  readonly server: URL;
  readonly clock?: Clock | undefined;
  /**
   * Sends in place of connections of our own, where a proxy keeps watch: names are not looked up then, only the addresses in
   * URLs are checked. Where there is no Node, it is the one of the runtime by default.
   */
  readonly fetch?: OauthFetch | undefined;
  readonly limits?: Partial<OauthHttpLimits> | undefined;
  /** Hosts (`auth.internal`, `10.0.0.7`) or origins (`http://auth.internal:8080`) that are trusted wherever they are. */
  readonly allow?: readonly string[] | undefined;
  /** Looks names up in place of the system. */
  readonly lookup?: Lookup | undefined;
}

const mostRedirects = 3;

/**
 * Sends bounded requests to addresses that peers told of: where they may lead is the policy of `AddressPolicy`. A GET is
 * redirected three times at most, each time to what may be reached too; a POST is not.
 * @throws TypeError or RangeError for options that make no sense.
 */
export function safeHttp(options: SafeHttpOptions): OauthHttp {
  requireSafeOptions(options);
  const { clock = wallClock } = options;
  const { timeout } = withDefaults(defaultOauthHttpLimits, options.limits);
  const { policy, sender } = reachOf(options);
  const late = (url: URL) =>
    new AuthError('unreachable', `${url.origin} did not answer within ${timeout} ms.`);
  return {
    check: (url) => policy.check(url),
    send(request) {
      const { url, signal } = request;
      const bounds = { clock, timeout, signal, late: () => late(url) };
      return withinTime(bounds, (within) => new SafeExchange(sender, policy, within).run(request));
    },
  };
}

/** Where requests may lead, and what sends them. */
function reachOf(options: SafeHttpOptions): { readonly policy: AddressPolicy; readonly sender: HopSender } {
  const { server, allow, fetch = runtimeFetch() } = options;
  const { bytes, timeout } = withDefaults(defaultOauthHttpLimits, options.limits);
  if (fetch !== undefined)
    return { policy: new AddressPolicy({ server, allow }), sender: fetchSender(fetch, bytes) };
  if (network === undefined)
    throw new TypeError(
      'This program was bundled for a browser and runs on Node, where addresses must be checked: bundle it for Node, or give the option fetch.',
    );
  const { addressOf, lookup: systemLookup } = network;
  const { lookup = systemLookup } = options;
  const locate = () => addressOf(server, { lookup, timeout });
  const policy = new AddressPolicy({ server, allow, locate });
  return { policy, sender: network.sender({ policy, lookup, bytes, timeout }) };
}

/** The fetch of a runtime that lets nobody make connections of his own, such as a browser. */
function runtimeFetch(): OauthFetch | undefined {
  const { process } = globalThis as { readonly process?: { readonly versions?: { readonly node?: string } } };
  return process?.versions?.node === undefined ? (input, init) => fetch(input, init) : undefined;
}

function requireSafeOptions(options: SafeHttpOptions): void {
  const { callable, object, texts } = optionRules;
  requireOptions('safeHttp', options, {
    server: { is: 'a URL object', allows: (value) => value instanceof URL },
    clock: object,
    fetch: callable,
    limits: object,
    allow: texts,
    lookup: callable,
  });
}

/** One request and the redirects that follow from it. */
class SafeExchange {
  readonly #sender: HopSender;
  readonly #policy: AddressPolicy;
  readonly #signal: AbortSignal;

  constructor(sender: HopSender, policy: AddressPolicy, signal: AbortSignal) {
    this.#sender = sender;
    this.#policy = policy;
    this.#signal = signal;
  }

  async run({ method, url: first, headers: given = {}, body }: OauthRequest): Promise<OauthAnswer> {
    let headers = { accept: 'application/json', 'accept-encoding': 'identity', ...given };
    let url = first;
    for (let redirects = 0; ; redirects++) {
      await this.#policy.check(url);
      const answer = await this.#send({ method, url, headers, body, signal: this.#signal });
      const next = method === 'GET' ? redirectOf(answer, url) : undefined;
      if (next === undefined) return wholeAnswer(answer);
      if (redirects >= mostRedirects) {
        const message = `${first.origin} redirects more than ${mostRedirects} times.`;
        throw new AuthError('unreachable', message, { answerStatus: answer.status });
      }
      if (url.protocol === 'https:' && next.protocol !== 'https:') {
        throw forbidden(next, `${url.origin} redirects to it, and it is not https`);
      }
      // What one origin was told is not for another.
      if (next.origin !== url.origin) {
        headers = { accept: headers.accept, 'accept-encoding': headers['accept-encoding'] };
      }
      url = next;
    }
  }

  async #send(hop: Hop): Promise<HopAnswer> {
    try {
      return await this.#sender(hop);
    } catch (error) {
      throw requestFailure(error, hop.url);
    }
  }
}

const redirecting: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function redirectOf({ status, header }: HopAnswer, url: URL): URL | undefined {
  const location = redirecting.has(status) ? header('location') : undefined;
  return location !== undefined && isUrl(location, url.href) ? new URL(location, url.href) : undefined;
}

function wholeAnswer({ status, header, text }: HopAnswer): OauthAnswer {
  const mediaType = (header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return { status, mediaType, header, text };
}
