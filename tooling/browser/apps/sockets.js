import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A UDP and a TCP socket that record what arrives. */
export class Sockets {
  /** @type {('datagram' | 'connection')[]} */
  arrived = [];
  udp = 0;
  tcp = 0;
  #datagrams = createSocket('udp4', () => this.#note('datagram'));
  #connections = createServer((socket) => {
    this.#note('connection');
    socket.on('error', () => {}).destroy();
  });
  /** @type {(() => void)[]} */
  #waiting = [];

  async open() {
    this.#datagrams.bind(0, '127.0.0.1');
    await once(this.#datagrams, 'listening');
    this.udp = this.#datagrams.address().port;
    this.#connections.listen(0, '127.0.0.1');
    await once(this.#connections, 'listening');
    const address = this.#connections.address();
    if (typeof address === 'object' && address !== null) this.tcp = address.port;
  }

  close() {
    this.#datagrams.close();
    this.#connections.close();
  }

  /** Resolves with the next arrival. @returns {Promise<void>} */
  arrival() {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** @param {'datagram' | 'connection'} what */
  #note(what) {
    this.arrived.push(what);
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
