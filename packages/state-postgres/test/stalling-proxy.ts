import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy of TCP connections that can stop forwarding without closing anything, as a network that drops all packets does. */
export class StallingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Replaced by each {@link resume}: connections of earlier ones stay stalled. */
  #forwarding = { stalled: false };

  private constructor(target: URL) {
    this.#server = createServer((near) => {
      const far = connect(Number(target.port), target.hostname);
      this.#join(near, far);
      this.#join(far, near);
    });
  }

  /** Starts a proxy of the server of a URL. */
  static async start(url: string): Promise<{ proxy: StallingProxy; url: string }> {
    const proxy = new StallingProxy(new URL(url));
    const own = new URL(url);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    const address = proxy.#server.address();
    if (typeof address === 'object' && address !== null) own.port = String(address.port);
    return { proxy, url: own.href };
  }

  /** Stops forwarding on all connections, those to come included. */
  stall(): void {
    this.#forwarding.stalled = true;
  }

  /** Forwards again, on new connections only. */
  resume(): void {
    this.#forwarding = { stalled: false };
  }

  /** Resets all connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
    this.#sockets.clear();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(from: Socket, to: Socket): void {
    const forwarding = this.#forwarding;
    this.#sockets.add(from);
    from.on('error', () => to.destroy());
    from.on('close', () => {
      if (!forwarding.stalled) to.destroy();
    });
    from.on('data', (bytes) => {
      if (!forwarding.stalled) to.write(bytes);
    });
  }
}
