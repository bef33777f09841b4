import { AuthError } from '../auth-error.js';
import type { AddressClass } from './address-class.js';
import { isLocalhostName, isLoopbackUrl, literalAddress, TrustedHosts } from './url-host.js';

export interface PolicyOptions {
  /** The URL that was configured, not one that a peer sent. Without it all addresses must be public. */
  readonly server: URL | undefined;
  readonly allow?: readonly string[] | undefined;
  /** Returns the IP address of that server, undefined if it is unknown. Called again until it returns an address. */
  readonly locate?: (() => Promise<string | undefined>) | undefined;
}

/**
 * Decides which addresses requests may be sent to. The origin of the configured server and the hosts in `allow` may be at
 * any address. A URL from a peer must be https, and its address at most as private as that of the configured server:
 * loopback (where http is allowed too) only if that server is on this machine, a private network only if that server is on
 * this machine or in a private network.
 * https://modelcontextprotocol.io/docs/2026-07-28/tutorials/security/security_best_practices#server-side-request-forgery-ssrf
 */
export class AddressPolicy {
  readonly #server: URL | undefined;
  readonly #trusted: TrustedHosts;
  readonly #locate: () => Promise<string | undefined>;
  #own: AddressClass | undefined;

  /** @throws TypeError if an entry of `allow` is malformed. */
  constructor({ server, allow, locate = async () => undefined }: PolicyOptions) {
    this.#server = server;
    this.#trusted = new TrustedHosts(allow);
    this.#locate = locate;
  }

  /** True for the configured origin and the entries of `allow`: their addresses are not checked. */
  trusts(url: URL): boolean {
    return url.origin === this.#server?.origin || this.#trusted.has(url);
  }

  /**
   * Checks a URL without a lookup. If its host is a name, check the addresses that it resolves to with {@link permits}.
   * @throws AuthError `forbidden-address`
   */
  async check(url: URL): Promise<void> {
    if (url.protocol !== 'https:' && url.protocol !== 'http:') {
      throw forbidden(url, 'it is not a web address');
    }
    if (url.username !== '' || url.password !== '')
      throw forbidden(url, 'it contains a user name or password');
    if (this.trusts(url)) return;
    const literal = literalAddress(url);
    if (url.protocol === 'http:' && !isLoopbackUrl(url)) throw forbidden(url, 'it is not https');
    const address = isLocalhostName(url) ? '127.0.0.1' : literal;
    if (address !== undefined && !(await this.permits(url.protocol, address))) {
      throw forbidden(url, await this.#why(address));
    }
  }

  /** True if a URL that is not trusted may be sent to this address. */
  async permits(protocol: string, address: string): Promise<boolean> {
    const reach = await classOf(address);
    if (reach === undefined || reach === 'barred') return false;
    if (reach === 'loopback') return (await this.#ownClass()) === 'loopback';
    if (protocol !== 'https:') return false;
    if (reach === 'public') return true;
    const own = await this.#ownClass();
    return own === 'loopback' || own === 'private';
  }

  async #why(address: string): Promise<string> {
    const reach = (await classOf(address)) ?? 'barred';
    const its = `its address is ${described[reach]}`;
    if (this.#server === undefined) return its;
    return `${its}, and the address of ${this.#server.origin} is ${described[await this.#ownClass()]}`;
  }

  async #ownClass(): Promise<AddressClass> {
    if (this.#server === undefined) return 'public';
    this.#own ??= await writtenClass(this.#server);
    if (this.#own !== undefined) return this.#own;
    const address = await this.#locate();
    if (address === undefined) return 'public';
    const own = (await classOf(address)) ?? 'public';
    // Without TLS the server has not proved its identity: DNS alone must not give access to this machine.
    this.#own = own === 'loopback' && this.#server.protocol === 'http:' ? 'private' : own;
    return this.#own;
  }
}

/** Returns the class of the address that the URL of a server contains; undefined if its host is a name. */
async function writtenClass(server: URL): Promise<AddressClass | undefined> {
  return isLocalhostName(server) ? 'loopback' : classOf(literalAddress(server) ?? '');
}

/** Loads the address tables with the first address to check. */
async function classOf(address: string): Promise<AddressClass | undefined> {
  const { addressClass } = await import('./address-class.js');
  return addressClass(address);
}

/** Returns the error for an address that the policy rejects. */
export function forbidden(url: URL, why: string): AuthError {
  const origin = url.origin === 'null' ? `A ${url.protocol} address` : url.origin;
  const advice = url.origin === 'null' ? '' : ' If you trust it, name it in the option allow.';
  return new AuthError('forbidden-address', `${origin} must not be reached: ${why}.${advice}`);
}

const described: Readonly<Record<AddressClass, string>> = {
  public: 'public',
  private: 'private',
  loopback: 'on this machine',
  barred: 'reserved',
};
