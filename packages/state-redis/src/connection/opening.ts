import { RedisClient, type RedisClientOptions } from '@redis/client';
import type { RedisStateOptions } from '../redis-options.js';
import { openCluster } from './cluster-wire.js';
import { openSentinel } from './sentinel-wire.js';
import { openSingle } from './single-wire.js';
import type { OpenWire } from './wire.js';

/** The ways to open the connections of one state. */
export interface Openers {
  readonly commands: OpenWire;
  readonly messages: OpenWire;
}

/** Returns the ways to open connections that the options select. */
export function openersOf(options: RedisStateOptions, timeout: number): Openers {
  const { url, sentinel, cluster, client, connection = {} } = options;
  const alone = (settings: RedisClientOptions) => onceOpened(settings, timeout);
  if (sentinel !== undefined) {
    const group = {
      name: sentinel.name,
      nodes: sentinel.nodes,
      sentinel: alone({ ...sentinel.connection }),
      master: alone(connection),
    };
    const open: OpenWire = (owner) => openSentinel(group, owner);
    return { commands: open, messages: open };
  }
  if (cluster !== undefined) {
    const nodes = cluster.map(optionsOf);
    const [{ socket, ...first } = {} as RedisClientOptions] = nodes;
    const tls =
      socket?.tls === true ? { socket: { tls: true } as RedisClientOptions['socket'] & object } : {};
    const seeds = { nodes, defaults: alone(joined({ ...first, ...tls }, connection)) };
    return {
      commands: (owner) => openCluster(seeds, true, owner),
      messages: (owner) => openCluster(seeds, false, owner),
    };
  }
  const base = url === undefined ? { ...client?.options } : optionsOf(url);
  const settings = alone(joined(base, connection));
  const open: OpenWire = (owner) => openSingle(settings, owner);
  return { commands: open, messages: open };
}

/** @throws TypeError if the URL is not of Redis. */
function optionsOf(url: string): RedisClientOptions {
  const { RESP: _, ...options } = RedisClient.parseURL(url);
  return options as RedisClientOptions;
}

/** Adds the settings under which a client neither queues commands without a connection nor opens one again. */
function onceOpened(settings: RedisClientOptions, timeout: number): RedisClientOptions {
  const own: RedisClientOptions = {
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    // A call has its own time limit.
    commandOptions: { timeout: 0 },
    socket: { reconnectStrategy: false, connectTimeout: timeout },
  };
  return joined({ name: 'tenon', ...settings }, own);
}

function joined(first: RedisClientOptions, second: RedisClientOptions): RedisClientOptions {
  const socket = { ...first.socket, ...second.socket } as RedisClientOptions['socket'] & object;
  return { ...first, ...second, socket };
}
