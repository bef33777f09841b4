import { type Clock, optionRules, requireOptions, withDeadline } from '@tenon/foundation';
import { isUrl } from '@tenon/mcp-protocol/internal';
import { network } from '#network';
import { AuthError } from '../auth-error.js';
import { wallClock } from '../wall-clock.js';
import { AddressPolicy, forbidden } from './address-policy.js';
import { fetchSender, type OauthFetch } from './fetch-sender.js';
import type { Lookup } from './guarded-connector.js';
import { type HopResponse, type HopSender, requestFailure } from './hop.js';
import { answerTimeout, type SafeHttp, type SafeRequest, type SafeResponse } from './oauth-http.js';

/** Options of {@link safeHttp}. */
export interface SafeHttpOptions {
  /**
   * The URL that was configured, not one that a peer sent. Its origin may always be reached. Other addresses may be as
   * private as that of this server, and not more. Without it all addresses must be public.
   */
  readonly server?: URL | undefined;
  readonly clock?: Clock | undefined;
  /**
   * Sends the requests, for example through a proxy that checks addresses: names are then not resolved here, and only
   * addresses in URLs are checked. Default: connections of Node; outside Node the runtime's own `fetch`.
   */
  readonly fetch?: OauthFetch | undefined;
  /** Milliseconds for one request, redirects included; 10,000 by default. */
  readonly timeout?: number | undefined;
  /** Bytes of one response. Default: 262,144. */
  readonly bytes?: number | undefined;
  /** Hosts (`auth.internal`, `10.0.0.7`) or origins (`http://auth.internal:8080`) that are trusted at any address. */
  readonly allow?: readonly string[] | undefined;
  /** Resolves names; by default the operating system does. Node only. */
  readonly lookup?: Lookup | undefined;
}

const mostRedirects = 3;

/**
 * Returns an HTTP client for URLs that came from peers. Its requests are bounded, and an address policy decides which
 * addresses they may be sent to. A GET follows at most three redirects, each of them
 * checked; other methods follow none.
 * @throws TypeError or RangeError if an option is invalid.
 */
export function safeHttp(options: SafeHttpOptions): SafeHttp {
  requireSafeOptions(options);
  const { clock = wallClock, timeout = answerTimeout } = options;
  const reach = reachOf(options);
  const late = (url: URL) =>
    new AuthError('unreachable', `${url.origin} did not answer within ${timeout} ms.`);
  return {
    check: (url) => reach.policy.check(url),
    send(request) {
      const { url, signal } = request;
      const deadline = { clock, ms: timeout, holds: true, signal, late: () => late(url) };
      return withDeadline(deadline, (within) => exchange(request, reach, within));
    },
  };
}

/** The address policy, and the sender that applies it. */
interface Reach {
  readonly policy: AddressPolicy;
  readonly sender: HopSender;
}

function reachOf(options: SafeHttpOptions): Reach {
  const { server, allow, fetch = runtimeFetch(), clock = wallClock } = options;
  const { timeout = answerTimeout, bytes = 262_144 } = options;
  if (fetch !== undefined)
    return { policy: new AddressPolicy({ server, allow }), sender: fetchSender(fetch, bytes) };
  if (network === undefined)
    throw new TypeError(
      'Addresses cannot be checked when connecting on Bun, or on Node in a bundle for a browser. Give the option fetch; for a verifier, http: safeHttp({ server, fetch }).',
    );
  const { addressOf, lookup: systemLookup } = network;
  const { lookup = systemLookup } = options;
  const locate = server && (() => addressOf(server, { lookup, timeout }));
  const policy = new AddressPolicy({ server, allow, locate });
  return { policy, sender: network.sender({ policy, lookup, bytes, timeout, clock }) };
}

/** Returns the global `fetch` outside Node, where a program cannot open connections itself. */
function runtimeFetch(): OauthFetch | undefined {
  const { process } = globalThis as { readonly process?: { readonly versions?: { readonly node?: string } } };
  return process?.versions?.node === undefined ? (input, init) => fetch(input, init) : undefined;
}

function requireSafeOptions(options: SafeHttpOptions): void {
  const { callable, object, positive, texts } = optionRules;
  requireOptions('safeHttp', options, {
    server: { is: 'a URL object', allows: (value) => value instanceof URL },
    clock: object,
    fetch: callable,
    timeout: positive,
    bytes: positive,
    allow: texts,
    lookup: callable,
  });
}

/** Sends a request, and follows its redirects. */
async function exchange(
  { method, url: first, headers: given = {}, body, redirects: follows }: SafeRequest,
  { sender, policy }: Reach,
  signal: AbortSignal,
): Promise<SafeResponse> {
  let headers = { accept: 'application/json', 'accept-encoding': 'identity', ...given };
  let url = first;
  for (let redirects = 0; ; redirects++) {
    await policy.check(url);
    const answer = await sender({ method, url, headers, body, signal }).catch((error: unknown) => {
      throw requestFailure(error, url);
    });
    const next = method === 'GET' && follows !== false ? redirectOf(answer, url) : undefined;
    if (next === undefined) return wholeAnswer(answer);
    if (redirects >= mostRedirects) {
      const message = `${first.origin} redirects more than ${mostRedirects} times.`;
      throw new AuthError('unreachable', message, { answerStatus: answer.status });
    }
    if (url.protocol === 'https:' && next.protocol !== 'https:') {
      throw forbidden(next, `${url.origin} redirects to it, and it is not https`);
    }
    // Headers may hold secrets for the first origin.
    if (next.origin !== url.origin) {
      headers = { accept: headers.accept, 'accept-encoding': headers['accept-encoding'] };
    }
    url = next;
  }
}

const redirecting: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function redirectOf({ status, header }: HopResponse, url: URL): URL | undefined {
  const location = redirecting.has(status) ? header('location') : undefined;
  return location !== undefined && isUrl(location, url.href) ? new URL(location, url.href) : undefined;
}

function wholeAnswer({ status, header, bytes }: HopResponse): SafeResponse {
  const mediaType = (header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return { status, mediaType, header, bytes, text: new TextDecoder().decode(bytes) };
}
