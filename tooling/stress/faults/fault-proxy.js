import { connect, createServer } from 'node:net';
import { faultKinds } from './fault-plan.js';
import { Link } from './link.js';
import { randomOf } from './random.js';

/** @typedef {import('./fault-plan.js').FaultKind} FaultKind */

/** Counts the traffic of a proxy, and its faults. */
export class ProxyCounts {
  connections = 0;
  /** GETs with a `Last-Event-ID` header. */
  resumptions = 0;
  /** @type {Record<FaultKind, number>} */
  faults = /** @type {any} */ (Object.fromEntries(faultKinds.map((kind) => [kind, 0])));

  /** The number of faults of any kind. */
  get broken() {
    return Object.values(this.faults).reduce((sum, count) => sum + count, 0);
  }
}

/** A TCP proxy in front of a local port. Its faults are planned by a seed. */
export class FaultProxy {
  counts = new ProxyCounts();
  #port;
  #seed;
  #calm = true;
  /** @type {Set<Link>} */
  #links = new Set();
  #server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#take(socket));

  /**
   * @param {number} port where the server listens
   * @param {number} seed
   */
  constructor(port, seed) {
    this.#port = port;
    this.#seed = seed;
  }

  /** The number of open connections. */
  get open() {
    return this.#links.size;
  }

  /** @returns {Promise<number>} the port it listens at */
  listen() {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ port: 0, host: '127.0.0.1', backlog: 2_048 }, () => {
        const address = /** @type {import('node:net').AddressInfo} */ (this.#server.address());
        resolve(address.port);
      });
    });
  }

  /** Starts faults, on open connections as well. */
  storm() {
    this.#calm = false;
    for (const link of this.#links) link.plan();
  }

  /** Stops faults, and releases held bytes. */
  calm() {
    this.#calm = true;
    for (const link of this.#links) link.unplan();
  }

  /** @returns {Promise<void>} */
  close() {
    for (const link of this.#links) link.destroy();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  /** @param {import('node:net').Socket} client */
  #take(client) {
    const number = ++this.counts.connections;
    const server = connect({ port: this.#port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const link = new Link(client, server, {
      random: randomOf(this.#seed, number),
      counts: this.counts,
      ended: () => this.#links.delete(link),
    });
    this.#links.add(link);
    if (!this.#calm) link.plan();
  }
}
