import { createClient, type RedisClientOptions } from '@redis/client';
import { onAbort } from '@tenon/foundation';
import { openSingle } from './single-wire.js';
import type { Wire, WireOwner } from './wire.js';

/** An address of a server. */
export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** The sentinels of a master. */
export interface SentinelGroup {
  readonly name: string;
  readonly nodes: readonly HostAndPort[];
  /** Options of connections to sentinels. */
  readonly sentinel: RedisClientOptions;
  /** Options of connections to the master. */
  readonly master: RedisClientOptions;
}

/** Opens a connection to the master that the sentinels name. Rejects if that server is not a master. */
export async function openSentinel(group: SentinelGroup, owner: WireOwner): Promise<Wire> {
  const address = await masterOf(group, owner.signal);
  const wire = await openSingle(at(group.master, address), owner);
  try {
    const [role] = (await wire.send('', ['ROLE'])) as readonly unknown[];
    if (role !== 'master') throw new Error(`${address.host}:${address.port} is a ${role}, not a master.`);
  } catch (error) {
    wire.destroy();
    throw error;
  }
  return wire;
}

/** Returns the answer of the sentinel that answers first: one of them may be unreachable. */
async function masterOf({ name, nodes, sentinel }: SentinelGroup, signal: AbortSignal): Promise<HostAndPort> {
  try {
    return await Promise.any(nodes.map((node) => askSentinel(name, at(sentinel, node), signal)));
  } catch (error) {
    const causes = error instanceof AggregateError ? error.errors.map(String).join('; ') : String(error);
    throw new Error(`No sentinel names a master for "${name}": ${causes}`, { cause: error });
  }
}

async function askSentinel(
  name: string,
  options: RedisClientOptions,
  signal: AbortSignal,
): Promise<HostAndPort> {
  const client = createClient({ ...options, RESP: 3 });
  client.on('error', () => {});
  const release = onAbort(signal, () => client.destroy());
  try {
    await client.connect();
    const reply: unknown = await client.sendCommand(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name]);
    if (!Array.isArray(reply)) throw new Error(`The sentinel knows no master "${name}".`);
    return { host: String(reply[0]), port: Number(reply[1]) };
  } finally {
    release();
    client.destroy();
  }
}

function at(options: RedisClientOptions, { host, port }: HostAndPort): RedisClientOptions {
  return { ...options, socket: { ...options.socket, host, port } as RedisClientOptions['socket'] & object };
}
