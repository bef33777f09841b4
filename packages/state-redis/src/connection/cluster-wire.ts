import { createCluster, type RedisClientOptions, type RedisClusterOptions } from '@redis/client';
import { onAbort } from '@tenon/foundation';
import type { ChannelListener, Wire, WireOwner } from './wire.js';

/** Nodes of a cluster to begin with, and the options of every connection. */
export interface ClusterSeeds {
  readonly nodes: readonly RedisClientOptions[];
  readonly defaults: RedisClientOptions;
}

/** Connections to the masters of a cluster. Messages are sharded: each topic is on the node of its slot. */
class ClusterWire implements Wire {
  readonly partial = true;
  readonly #cluster: ReturnType<typeof newCluster>;
  readonly #onLost: (cause: Error) => void;
  readonly #watched = new WeakSet<object>();

  constructor(cluster: ReturnType<typeof newCluster>, onLost: (cause: Error) => void) {
    this.#cluster = cluster;
    this.#onLost = onLost;
  }

  send(key: string, command: readonly string[]): Promise<unknown> {
    return this.#cluster.sendCommand(key, false, [...command]);
  }

  publish(channel: string, text: string): Promise<unknown> {
    return this.#cluster.sendCommand(channel, false, ['SPUBLISH', channel, text]);
  }

  async subscribe(channels: readonly string[], listener: ChannelListener): Promise<void> {
    await Promise.all(channels.map((channel) => this.#cluster.sSubscribe(channel, listener)));
    this.#watch();
  }

  unsubscribe(channel: string, listener: ChannelListener): Promise<void> {
    return this.#cluster.sUnsubscribe(channel, listener);
  }

  async ping(): Promise<void> {
    const clients = this.#cluster.masters.flatMap(({ client, pubSub }) => [client, pubSub?.client]);
    await Promise.all(clients.map((client) => client?.sendCommand(['PING'])));
  }

  /** Opens connections to all masters. */
  async openAll(): Promise<void> {
    await Promise.all(this.#cluster.masters.map((master) => this.#cluster.nodeClient(master)));
  }

  destroy(): void {
    this.#cluster.destroy();
  }

  /** A topic with a slot that moved to another node loses the messages in between. */
  #watch(): void {
    for (const { pubSub, address } of this.#cluster.masters) {
      if (pubSub === undefined || this.#watched.has(pubSub.client)) continue;
      this.#watched.add(pubSub.client);
      pubSub.client.once('sharded-channel-moved', () =>
        this.#onLost(new Error(`A slot of ${address} moved to another node.`)),
      );
    }
  }
}

/**
 * Finds the masters of a cluster.
 * @param eager - opens a connection to each of them.
 */
export async function openCluster(
  seeds: ClusterSeeds,
  eager: boolean,
  { onLost, signal }: WireOwner,
): Promise<Wire> {
  const cluster = newCluster(seeds);
  let cause: Error | undefined;
  const onError = (error: Error) => {
    cause = error;
    onLost(error);
  };
  cluster.on('error', onError).on('node-error', onError).on('sharded-channel-moved-error', onError);
  const release = onAbort(signal, () => cluster.destroy());
  const wire = new ClusterWire(cluster, onLost);
  try {
    await cluster.connect();
    if (eager) await wire.openAll();
    signal.throwIfAborted();
  } catch (error) {
    cluster.destroy();
    // The error of node-redis says only that no node is available.
    throw cause ?? error;
  } finally {
    release();
  }
  return wire;
}

function newCluster({ nodes, defaults }: ClusterSeeds) {
  // The defaults of a cluster exclude connections by path.
  const settings = { rootNodes: nodes, defaults, minimizeConnections: true } as RedisClusterOptions;
  return createCluster({ ...settings, RESP: 3 });
}
