import type { Principal } from '@tenon/mcp-protocol';
import { Cors } from './cors.js';
import type { Credentials, GateOptions } from './gate-options.js';
import type { HttpCall } from './http-call.js';
import { hostnameOf, isLoopback } from './loopback.js';
import { toldNetworkOf } from './network.js';
import { internalError, type Refusal, refuse } from './refusal.js';

/** Who gets in: checks that run before anything of a request is parsed. */
export class Gate {
  readonly #hosts: ReadonlySet<string> | undefined;
  readonly #origins: ReadonlySet<string> | undefined;
  readonly #anyHost: boolean;
  readonly #anyOrigin: boolean;
  readonly #cors: Cors | undefined;
  readonly #authenticate: GateOptions['authenticate'];
  readonly #remoteAddress: GateOptions['remoteAddress'];
  readonly #onError: (error: unknown, where: string) => void;
  readonly #knownHosts = new Set<string>();

  /** @throws TypeError for a host or an origin that is none. */
  constructor(options: GateOptions, onError: (error: unknown, where: string) => void) {
    const { allowedHosts, allowedOrigins } = options;
    this.#anyHost = allowedHosts === 'any';
    this.#anyOrigin = allowedOrigins === 'any';
    this.#hosts = checkedList('allowedHosts', allowedHosts, checkedHost);
    this.#origins = checkedList('allowedOrigins', allowedOrigins, checkedOrigin);
    const { cors } = options;
    this.#cors = cors ? new Cors(cors === true ? {} : cors) : undefined;
    this.#authenticate = options.authenticate;
    this.#remoteAddress = options.remoteAddress;
    this.#onError = onError;
  }

  /** Calls `enter` with who is calling, or turns the request away. */
  admit(call: HttpCall, enter: (principal: Principal | undefined) => void): void {
    const refusal = this.#refusal(call);
    if (refusal !== undefined) {
      refuse(call, refusal);
      return;
    }
    if (this.#cors?.answers(call)) return;
    if (this.#remoteAddress !== undefined && !this.#locate(call, this.#remoteAddress)) return;
    if (this.#authenticate === undefined) {
      enter(undefined);
      return;
    }
    this.#identify(call, this.#authenticate)
      .then((identity) => {
        if (call.closed) return;
        if (identity !== undefined && 'status' in identity) refuse(call, identity);
        else enter(identity);
      })
      .catch((error: unknown) => {
        this.#onError(error, 'authenticate');
        refuse(call, internalError);
      });
  }

  /** Has the operator tell where a request comes from; false when that failed, and the request is refused. */
  #locate(call: HttpCall, locate: NonNullable<GateOptions['remoteAddress']>): boolean {
    try {
      const told = locate(credentialsOf(call));
      if (told !== undefined) call.remoteAddress = toldNetworkOf(told);
      return true;
    } catch (error) {
      this.#onError(error, 'remoteAddress');
      refuse(call, internalError);
      return false;
    }
  }

  async #identify(
    call: HttpCall,
    authenticate: NonNullable<GateOptions['authenticate']>,
  ): Promise<Principal | Refusal | undefined> {
    const identity = await authenticate(credentialsOf(call));
    if (identity === undefined || identity === null) return undefined;
    // Without an id everybody would be the same somebody, and find each other's sessions.
    if (typeof identity === 'object' && ('status' in identity || typeof identity.id === 'string')) {
      return identity;
    }
    throw new TypeError('authenticate must give a principal, whose id is a string, a refusal or undefined.');
  }

  #refusal(call: HttpCall): Refusal | undefined {
    const host = call.header('host');
    if (!this.#anyHost && !(host !== undefined && this.#allowsHost(host))) {
      return {
        status: 403,
        reason:
          'This server does not answer to the name in the Host header; its operator can add it to allowedHosts.',
      };
    }
    const origin = call.header('origin');
    if (origin === undefined || this.#anyOrigin || this.#allowsOrigin(origin)) return undefined;
    return {
      status: 403,
      reason:
        'This server takes no requests from pages of this origin; its operator can add it to allowedOrigins.',
    };
  }

  #allowsHost(host: string): boolean {
    if (this.#knownHosts.has(host)) return true;
    const name = hostnameOf(host);
    if (name === undefined) return false;
    const allowed =
      this.#hosts === undefined
        ? isLoopback(name)
        : this.#hosts.has(name) || this.#hosts.has(host.toLowerCase());
    // Few spellings of the same name are in use: remembering them spares the pattern.
    if (allowed && this.#knownHosts.size < 64) this.#knownHosts.add(host);
    return allowed;
  }

  #allowsOrigin(origin: string): boolean {
    if (this.#origins !== undefined) return this.#origins.has(origin.toLowerCase());
    // Parsing would read more into a name than browsers write: escapes, backslashes, letters beyond ASCII.
    const url = /^[\w.:/[\]-]+$/.test(origin) ? parsedOrigin(origin) : undefined;
    if (url === undefined) return false;
    const name = url.hostname;
    return this.#hosts === undefined
      ? isLoopback(name)
      : url.protocol === 'https:' && (this.#hosts.has(name) || this.#hosts.has(url.host));
  }
}

function credentialsOf(call: HttpCall): Credentials {
  return { method: call.method, url: call.url, header: (name) => call.header(name.toLowerCase()) };
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
    `allowedHosts: ${JSON.stringify(host)} is no host name; give names such as "mcp.example.com", with a port only if it matters.`,
  );
}

function checkedOrigin(origin: string): string {
  const url = typeof origin === 'string' ? parsedOrigin(origin) : undefined;
  if (url !== undefined) return url.origin;
  throw new TypeError(
    `allowedOrigins: ${JSON.stringify(origin)} is no origin; give origins such as "https://app.example.com".`,
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
