import { createClient, type RedisClientOptions } from '@redis/client';
import { onAbort } from '@tenon/foundation';
import type { ChannelListener, Wire, WireOwner } from './wire.js';

/** A connection to one server. */
class SingleWire implements Wire {
  readonly partial = false;
  readonly #client: ReturnType<typeof newClient>;

  constructor(client: ReturnType<typeof newClient>) {
    this.#client = client;
  }

  send(_key: string, command: readonly string[]): Promise<unknown> {
    return this.#client.sendCommand(command);
  }

  publish(channel: string, text: string): Promise<unknown> {
    return this.#client.sendCommand(['PUBLISH', channel, text]);
  }

  subscribe(channels: readonly string[], listener: ChannelListener): Promise<void> {
    return this.#client.subscribe([...channels], listener);
  }

  unsubscribe(channel: string, listener: ChannelListener): Promise<void> {
    return this.#client.unsubscribe(channel, listener);
  }

  async ping(): Promise<void> {
    await this.#client.sendCommand(['PING']);
  }

  destroy(): void {
    this.#client.destroy();
  }
}

/** Opens a connection to one server. */
export async function openSingle(options: RedisClientOptions, { onLost, signal }: WireOwner): Promise<Wire> {
  const client = newClient(options);
  client.on('error', onLost);
  const release = onAbort(signal, () => client.destroy());
  try {
    await client.connect();
    // A client that was destroyed while its socket was opening connects all the same.
    signal.throwIfAborted();
  } catch (error) {
    client.destroy();
    throw error;
  } finally {
    release();
  }
  return new SingleWire(client);
}

function newClient(options: RedisClientOptions) {
  return createClient({ ...options, RESP: 3 });
}
