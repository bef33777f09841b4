import type { LookupFunction, Socket } from 'node:net';
import { follow } from '@tenon/foundation';
import { environmentProxy } from '@tenon/mcp-protocol/internal';
import type { buildConnector } from 'undici';
import { AuthError } from '../auth-error.js';
import { type AddressPolicy, forbidden } from './address-policy.js';

export interface ConnectorParts {
  readonly policy: AddressPolicy;
  readonly lookup: Lookup;
  /** Milliseconds until an attempt to connect fails. */
  readonly timeout: number;
}

type Build = typeof buildConnector;
type Judge = (addresses: readonly string[]) => Promise<readonly string[]>;

/**
 * Returns a connector that connects to trusted hosts at any address, and to other hosts only at addresses that the policy
 * permits. The lookup of the connection itself is checked, so DNS cannot answer differently in between. IP addresses in
 * URLs are not looked up: check them before.
 */
export function guardedConnector(options: ConnectorParts, build: Build): buildConnector.connector {
  const { policy, lookup, timeout } = options;
  const open = build({ timeout, lookup: lookupFunction(lookup) });
  return (target, callback) => {
    const url = new URL(`${target.protocol}//${target.host ?? target.hostname}`);
    if (policy.trusts(url)) return open(target, callback);
    const judged = lookupFunction(lookup, (all) => permittedOf(all, url, policy));
    return build({ timeout, lookup: judged })(target, callback);
  };
}

/** @throws AuthError `forbidden-address` if the policy permits none of the addresses of a host. */
export async function permittedOf(
  all: readonly string[],
  url: URL,
  policy: AddressPolicy,
): Promise<readonly string[]> {
  const verdicts = await Promise.all(all.map((address) => policy.permits(url.protocol, address)));
  const permitted = all.filter((_, at) => verdicts[at]);
  if (permitted.length > 0) return permitted;
  throw forbidden(url, `its name resolves to ${all.slice(0, 4).join(', ')}`);
}

/** Returns a lookup for sockets that passes the addresses it finds through `judge`. */
function lookupFunction(lookup: Lookup, judge: Judge = async (all) => all): LookupFunction {
  return (hostname, { all }, callback) => {
    const found = lookup(hostname).then((addresses) => {
      if (addresses.length > 0) return judge(addresses);
      throw new AuthError('unreachable', `The name ${hostname} resolves to no address.`);
    });
    const use = (addresses: readonly string[]) => {
      const list = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      const [{ address, family } = { address: '', family: 0 }] = list;
      if (all) callback(null, list);
      else callback(null, address, family);
    };
    follow(found, use, (error) => callback(error as NodeJS.ErrnoException, [], 0));
  };
}

/**
 * Returns the IP address of a server; undefined if it cannot be reached, or only through a proxy. Connects to it, over TLS if the
 * URL is https, because a DNS answer alone proves nothing.
 */
export async function addressOf(
  url: URL,
  { lookup, timeout }: Pick<ConnectorParts, 'lookup' | 'timeout'>,
): Promise<string | undefined> {
  if (environmentProxy(url) !== undefined) return undefined;
  const { buildConnector: build } = await import('undici');
  const connect = build({ timeout, lookup: lookupFunction(lookup) });
  const { protocol, host, hostname, port } = url;
  const socket = await new Promise<Socket | undefined>((resolve) => {
    connect({ protocol, host, hostname, port }, (error, made) => resolve(error === null ? made : undefined));
  });
  const address = socket?.remoteAddress;
  socket?.destroy();
  return address;
}

/** Resolves a host name to all its addresses. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** The resolver of the operating system. Node only. */
export const systemLookup: Lookup = async (hostname) => {
  const { lookup } = await import('node:dns/promises');
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
};
