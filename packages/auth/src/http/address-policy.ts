import { AuthError } from '../auth-error.js';
import type { AddressClass } from './address-class.js';
import { TrustedPlaces } from './trusted-places.js';
import { isLocalhostName, isLoopbackUrl, literalAddress } from './url-host.js';

/** Whose policy it is. */
export interface PolicyOptions {
  /** The address that was configured, rather than told by a peer. */
  readonly server: URL;
  readonly allow?: readonly string[] | undefined;
  /** The address at which that server answers; asked at most once with an answer. Undefined when nobody can tell. */
  readonly locate?: (() => Promise<string | undefined>) | undefined;
}

/**
 * Says which addresses may be reached. What comes from a peer leads to https alone, and nowhere more private than the server
 * that was configured: within this machine (there http will do) only if that server is here, within the network only if it is
 * here or there. The origin of the server itself, and places that are trusted by name, may be anywhere.
 * https://modelcontextprotocol.io/docs/2026-07-28/tutorials/security/security_best_practices#server-side-request-forgery-ssrf
 */
export class AddressPolicy {
  readonly #server: URL;
  readonly #trusted: TrustedPlaces;
  readonly #locate: () => Promise<string | undefined>;
  #own: AddressClass | undefined;

  /** @throws TypeError for a place in `allow` that makes no sense. */
  constructor({ server, allow, locate = async () => undefined }: PolicyOptions) {
    this.#server = server;
    this.#trusted = new TrustedPlaces(allow);
    this.#locate = locate;
  }

  /** True for what may be reached whatever its address is. */
  trusts(url: URL): boolean {
    return url.origin === this.#server.origin || this.#trusted.has(url);
  }

  /**
   * Looks at a URL as it is written; a name still has to be looked up, and {@link permits} asked of what it stands for.
   * @throws AuthError `forbidden-address`
   */
  async check(url: URL): Promise<void> {
    if (url.protocol !== 'https:' && url.protocol !== 'http:') {
      throw forbidden(url, 'it is no web address');
    }
    if (url.username !== '' || url.password !== '') throw forbidden(url, 'it holds a user name or password');
    if (this.trusts(url)) return;
    const literal = literalAddress(url);
    if (url.protocol === 'http:' && !isLoopbackUrl(url)) throw forbidden(url, 'it is not https');
    const address = isLocalhostName(url) ? '127.0.0.1' : literal;
    if (address !== undefined && !(await this.permits(url.protocol, address))) {
      throw forbidden(url, await this.#why(address));
    }
  }

  /** Whether a connection may be made to an address for a URL that is not trusted. */
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
    return `its address is ${described[reach]}, and that of ${this.#server.origin} is ${described[await this.#ownClass()]}`;
  }

  async #ownClass(): Promise<AddressClass> {
    this.#own ??= await writtenClass(this.#server);
    if (this.#own !== undefined) return this.#own;
    const address = await this.#locate();
    if (address === undefined) return 'public';
    const own = (await classOf(address)) ?? 'public';
    // Without TLS nobody has proved that he is there: a name server alone opens no way into this machine.
    this.#own = own === 'loopback' && this.#server.protocol === 'http:' ? 'private' : own;
    return this.#own;
  }
}

/** What the address of a server says by itself; undefined where it is a name. */
async function writtenClass(server: URL): Promise<AddressClass | undefined> {
  return isLocalhostName(server) ? 'loopback' : classOf(literalAddress(server) ?? '');
}

/** What tells addresses apart is loaded when there is one to look at. */
async function classOf(address: string): Promise<AddressClass | undefined> {
  const { addressClass } = await import('./address-class.js');
  return addressClass(address);
}

/** The error for an address that must not be reached. */
export function forbidden(url: URL, why: string): AuthError {
  const place = url.origin === 'null' ? `A ${url.protocol} address` : url.origin;
  const advice = url.origin === 'null' ? '' : ' If you trust it, name it in the option allow.';
  return new AuthError('forbidden-address', `${place} must not be reached: ${why}.${advice}`);
}

const described: Readonly<Record<AddressClass, string>> = {
  public: 'public',
  private: 'private',
  loopback: 'on this machine',
  barred: 'reserved',
};
