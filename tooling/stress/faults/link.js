import { nextFault } from './fault-plan.js';
import { Passage } from './passage.js';

/** @typedef {import('node:net').Socket} Socket */
/** @typedef {import('./fault-plan.js').Fault} Fault */
/** @typedef {import('./fault-plan.js').Direction} Direction */

/**
 * The callbacks of a link to its proxy.
 *
 * @typedef {object} LinkHost
 * @property {import('./random.js').Random} random
 * @property {import('./fault-proxy.js').ProxyCounts} counts
 * @property {() => void} ended
 */

/** Two connected sockets, with the faults of the bytes between them. */
export class Link {
  #host;
  #client;
  #server;
  /** @type {Readonly<Record<Direction, Passage>>} */
  #passages;
  /** @type {Fault | undefined} */
  #fault;
  #isNew = true;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  /** True after a fault that the link cannot recover from. */
  #broken = false;
  #over = false;

  /**
   * @param {Socket} client
   * @param {Socket} server
   * @param {LinkHost} host
   */
  constructor(client, server, host) {
    this.#host = host;
    this.#client = client;
    this.#server = server;
    this.#passages = {
      toServer: new Passage(client, server, (chunk) => this.#pass('toServer', chunk)),
      toClient: new Passage(server, client, (chunk) => this.#pass('toClient', chunk)),
    };
    for (const socket of [client, server]) {
      // One end of a broken link may be gone before the other end knows.
      socket.on('error', () => this.#broken || this.destroy());
      socket.on('close', () => this.#broken || this.destroy());
    }
  }

  /** Plans the next fault. */
  plan() {
    if (this.#over || this.#fault !== undefined) return;
    const fault = nextFault(this.#host.random, this.#isNew);
    this.#isNew = false;
    this.#fault = fault;
    if (fault.chunk !== undefined) fault.chunk += this.#passages[fault.direction].chunks;
    else this.#timer = setTimeout(() => this.#strike(fault), fault.afterMs);
  }

  /** Cancels the planned fault. */
  unplan() {
    if (this.#broken) {
      this.destroy();
      return;
    }
    clearTimeout(this.#timer);
    this.#fault = undefined;
    for (const passage of Object.values(this.#passages)) passage.release();
  }

  destroy() {
    this.#end((socket) => socket.destroy());
  }

  /**
   * @param {Direction} direction
   * @param {Buffer} chunk
   * @returns {Buffer | undefined} the part that goes through
   */
  #pass(direction, chunk) {
    if (direction === 'toServer' && isResumption(chunk)) this.#host.counts.resumptions++;
    const fault = this.#fault;
    if (
      fault?.chunk === undefined ||
      fault.direction !== direction ||
      this.#passages[direction].chunks < fault.chunk
    )
      return chunk;
    if (fault.kind !== 'truncate') {
      // Half of the faults occur before the chunk goes through, half after.
      if (fault.share < 0.5) setImmediate(() => this.#strike(fault));
      else this.#strike(fault);
      return this.#over ? undefined : chunk;
    }
    this.#happens(fault);
    this.#broken = true;
    this.#passages[direction].cut(chunk.subarray(0, Math.floor(chunk.length * fault.share)));
    // The receiver sees an end now, the other side soon.
    this.#later(50, () => this.destroy());
    return undefined;
  }

  /** @param {Fault} fault */
  #strike(fault) {
    if (this.#over || this.#fault !== fault) return;
    this.#happens(fault);
    switch (fault.kind) {
      case 'refuse':
      case 'reset':
        return this.#end(reset);
      case 'disconnect':
        return this.destroy();
      case 'halfCloseClient':
        this.#broken = true;
        this.#passages.toClient.shut();
        this.#passages.toServer.hold();
        return this.#later(fault.lastsMs, () => this.destroy());
      case 'halfCloseServer':
        this.#broken = true;
        this.#passages.toServer.shut();
        return this.#later(fault.lastsMs, () => this.destroy());
      default:
        return this.#stall(fault);
    }
  }

  /** @param {Fault} fault */
  #stall({ direction, lastsMs, share }) {
    const held = share < 0.3 ? Object.values(this.#passages) : [this.#passages[direction]];
    for (const one of held) one.hold();
    this.#later(lastsMs, () => {
      for (const one of held) one.release();
      this.#fault = undefined;
      this.plan();
    });
  }

  /** @param {Fault} fault */
  #happens(fault) {
    this.#host.counts.faults[fault.kind]++;
    this.#fault = { ...fault, chunk: Number.POSITIVE_INFINITY };
  }

  /**
   * @param {number} ms
   * @param {() => void} task
   */
  #later(ms, task) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(task, ms);
  }

  /** @param {(socket: Socket) => void} how */
  #end(how) {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    how(this.#client);
    how(this.#server);
    this.#host.ended();
  }
}

/** @param {Buffer} chunk */
function isResumption(chunk) {
  return chunk[0] === 0x47 && chunk.toString('latin1').includes('\r\nlast-event-id:');
}

/**
 * Destroys a socket with a reset if it can be reset: Node would keep the handle of a socket that is connecting or ending.
 *
 * @param {Socket} socket
 */
function reset(socket) {
  if (socket.connecting || socket.writableEnded || socket.destroyed) socket.destroy();
  else socket.resetAndDestroy();
}
