import type { HttpRefusal } from '@tenon/mcp-protocol';
import type { HttpCall } from '../call/http-call.js';
import type { RequestGuardOptions } from './request-guard-options.js';

const foreignHost: HttpRefusal = {
  status: 403,
  reason: 'This server does not accept the name in the Host header; its operator can add it to allowedHosts.',
};
const foreignOrigin: HttpRefusal = {
  status: 403,
  reason:
    'This server accepts no requests from pages of this origin; its operator can add it to allowedOrigins.',
};

/** The host names of a server, and the origins of pages that may send requests. */
export class HostRules {
  readonly #hosts: ReadonlySet<string> | undefined;
  readonly #origins: ReadonlySet<string> | undefined;
  readonly #anyHost: boolean;
  readonly #anyOrigin: boolean;
  readonly #knownHosts = new Set<string>();

  /** @throws TypeError if a host or an origin is malformed. */
  constructor({
    allowedHosts,
    allowedOrigins,
  }: Pick<RequestGuardOptions, 'allowedHosts' | 'allowedOrigins'>) {
    this.#anyHost = allowedHosts === 'any';
    this.#anyOrigin = allowedOrigins === 'any';
    this.#hosts = checkedList('allowedHosts', allowedHosts, checkedHost);
    this.#origins = checkedList('allowedOrigins', allowedOrigins, checkedOrigin);
  }

  /** Returns the refusal if the host of a request is not allowed. */
  hostRefusal(call: HttpCall): HttpRefusal | undefined {
    if (call.repeated !== undefined) return repeated(call.repeated);
    return this.#anyHost || this.#allowsHost(call.header('host')) ? undefined : refused('host', call);
  }

  /** Returns the refusal if the host of a request, or the origin of the page that sends it, is not allowed. */
  refusal(call: HttpCall): HttpRefusal | undefined {
    if (call.repeated !== undefined) return repeated(call.repeated);
    if (!this.#anyHost && !this.#allowsHost(call.header('host'))) return refused('host', call);
    const origin = call.header('origin');
    if (origin === undefined || this.#anyOrigin || this.#allowsOrigin(origin)) return undefined;
    return refused('origin', call);
  }

  /** The same for a request for a page. Also allows the page's own origin, which its forms send. */
  pageRefusal(call: HttpCall): HttpRefusal | undefined {
    const refusal = this.refusal(call);
    if (refusal !== foreignOrigin) return refusal;
    const origin = parsedOrigin(call.header('origin') ?? '');
    const own = origin && parsedOrigin(`${origin.protocol}//${call.header('host')}`);
    return own !== undefined && own.host === origin?.host ? undefined : refusal;
  }

  #allowsHost(host: string | undefined): boolean {
    if (host === undefined) return false;
    if (this.#knownHosts.has(host)) return true;
    const name = hostnameOf(host);
    if (name === undefined) return false;
    const allowed =
      this.#hosts === undefined
        ? isLoopback(name)
        : this.#hosts.has(name) || this.#hosts.has(host.toLowerCase());
    // Clients use few spellings of the same name: the cache saves the pattern match.
    if (allowed && this.#knownHosts.size < 64) this.#knownHosts.add(host);
    return allowed;
  }

  #allowsOrigin(origin: string): boolean {
    if (this.#origins !== undefined) return this.#origins.has(origin.toLowerCase());
    // A URL parser accepts more than browsers send: escapes, backslashes, letters beyond ASCII.
    const url = /^[\w.:/[\]-]+$/.test(origin) ? parsedOrigin(origin) : undefined;
    if (url === undefined) return false;
    const name = url.hostname;
    return this.#hosts === undefined
      ? isLoopback(name)
      : url.protocol === 'https:' && (this.#hosts.has(name) || this.#hosts.has(url.host));
  }
}

function repeated(name: string): HttpRefusal {
  return { status: 400, reason: `The header ${name} was sent more than once; send it once.` };
}

/** Returns the refusal of a host or an origin. Some runtimes join repeated headers. */
function refused(name: 'host' | 'origin', call: HttpCall): HttpRefusal {
  if (call.header(name)?.includes(',')) return repeated(name);
  return name === 'host' ? foreignHost : foreignOrigin;
}

function checkedList(
  option: string,
  given: readonly string[] | 'any' | undefined,
  checked: (one: string) => string,
): ReadonlySet<string> | undefined {
  if (given === undefined || given === 'any') return undefined;
  if (!Array.isArray(given)) {
    throw new TypeError(`${option} must be a list, such as ["${given}"], or "any".`);
  }
  return new Set(given.map(checked));
}

function checkedHost(host: string): string {
  if (typeof host === 'string' && hostnameOf(host) !== undefined) return host.toLowerCase();
  throw new TypeError(
    `allowedHosts: ${JSON.stringify(host)} is not a valid host name; write names such as "mcp.example.com", with a port only if it must match.`,
  );
}

function checkedOrigin(origin: string): string {
  const url = typeof origin === 'string' ? parsedOrigin(origin) : undefined;
  if (url !== undefined) return url.origin;
  throw new TypeError(
    `allowedOrigins: ${JSON.stringify(origin)} is not a valid origin; write origins such as "https://app.example.com".`,
  );
}

function parsedOrigin(origin: string): URL | undefined {
  if (!/^https?:\/\/[^/?#@\s]+$/i.test(origin)) return undefined;
  try {
    return new URL(origin);
  } catch {
    return undefined;
  }
}

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1', '[::1]']);

/** True for loopback host names. */
export function isLoopback(hostname: string): boolean {
  return loopbackNames.has(hostname) || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}

/** Returns the name in a `Host` header, without its port; undefined if it is malformed. */
export function hostnameOf(host: string): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(host);
  return match?.[1]?.toLowerCase();
}
