import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import type { ServerTarget } from '../connections/server-target.js';
import { WorkbenchError } from '../failures/workbench-error.js';

/** Resolves a name to its addresses. */
export type LookupAddresses = (hostname: string) => Promise<readonly string[]>;

const ownAddresses = new BlockList();
ownAddresses.addSubnet('127.0.0.0', 8, 'ipv4');
ownAddresses.addAddress('::1', 'ipv6');

/**
 * Checks that a load reaches this machine only. A command is on this machine; of a URL all addresses must be.
 * @throws WorkbenchError `usage` otherwise, `unreachable` if the name has no address.
 */
export async function requireOwnMachine(
  target: ServerTarget,
  resolve: LookupAddresses = systemLookup,
): Promise<void> {
  if (target.kind === 'command') return;
  const { hostname, host } = new URL(target.url);
  const name = hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(name) === 0 ? await resolve(name) : [name];
  if (addresses.length === 0) throw new WorkbenchError('unreachable', `${name} has no address.`);
  const other = addresses.find((address) => !isOwn(address));
  if (other === undefined) return;
  const shown = other === name ? host : `${host} (${other})`;
  throw new WorkbenchError('usage', `${shown} is not this machine, and a load can disturb its users.`, {
    hint: 'If the server is yours, or its owner agrees, repeat the command with --i-own-this-server.',
  });
}

function isOwn(address: string): boolean {
  return ownAddresses.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

async function systemLookup(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}
