import { connect, createServer } from 'node:net';

/** @typedef {import('node:net').Socket} Socket */

/** A way to a state server on which each direction takes some milliseconds longer. */
export class SlowLink {
  #target;
  #delay;
  /** @type {Set<Socket>} */
  #sockets = new Set();
  #server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#take(socket));

  /**
   * @param {string} url of the server
   * @param {number} delay milliseconds
   */
  constructor(url, delay) {
    this.#target = new URL(url);
    this.#delay = delay;
  }

  /** Resolves with the URL of the server by this way. */
  async listen() {
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', () => resolve(undefined)));
    const url = new URL(this.#target);
    url.port = String(/** @type {import('node:net').AddressInfo} */ (this.#server.address()).port);
    return url.href;
  }

  close() {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  /** @param {Socket} socket */
  #take(socket) {
    const { hostname: host, port } = this.#target;
    const target = connect({ host, port: Number(port), allowHalfOpen: true, noDelay: true });
    this.#pass(socket, target);
    this.#pass(target, socket);
  }

  /**
   * @param {Socket} from
   * @param {Socket} to
   */
  #pass(from, to) {
    this.#sockets.add(from);
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.#sockets.delete(from);
      setTimeout(() => to.destroy(), this.#delay).unref();
    });
    from.on('data', (chunk) => setTimeout(() => to.write(chunk), this.#delay));
    from.on('end', () => setTimeout(() => to.end(), this.#delay));
  }
}
