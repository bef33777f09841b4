import { createServer, request as openRequest } from 'node:http';
import { connect } from 'node:net';

/** @typedef {import('node:http').IncomingMessage} IncomingMessage */
/** @typedef {import('node:http').ServerResponse} ServerResponse */

/**
 * One node behind the proxy.
 *
 * @typedef {object} Upstream
 * @property {number} port
 * @property {boolean} ready
 * @property {boolean} isWatched true while an answer of `/readyz` is awaited
 * @property {number} dealt the requests that it received
 */

/** The path under which a caller has its own event streams cut. */
export const cutPath = '/cut-streams';

/**
 * Deals requests to nodes in turn, without affinity. A node that refuses a connection, or is not ready, is left out; a
 * request is dealt again only if nothing of it was sent. Streams both ways without a buffer.
 */
export class RoundRobinProxy {
  counts = { requests: 0, again: 0, badGateway: 0, noNode: 0, resumptions: 0, cuts: 0 };
  /** @type {Map<number, Upstream>} */
  #upstreams = new Map();
  /** Event streams that are open, by the name of their caller. @type {Map<string, Set<ServerResponse>>} */
  #streams = new Map();
  #turn = 0;
  #healthInterval;
  #server = createServer((request, response) => this.#receive(request, response));
  /** @type {NodeJS.Timeout | undefined} */
  #watching;

  /** @param {number} [healthInterval] milliseconds between two looks at `/readyz` of a node */
  constructor(healthInterval = 100) {
    this.#healthInterval = healthInterval;
  }

  /** Resolves with the port. */
  async listen() {
    this.#server.requestTimeout = 0;
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', () => resolve(undefined)));
    this.#watching = setInterval(() => {
      for (const upstream of this.#upstreams.values()) look(upstream);
    }, this.#healthInterval);
    return /** @type {import('node:net').AddressInfo} */ (this.#server.address()).port;
  }

  /**
   * Deals requests to a node that is ready.
   *
   * @param {number} port
   */
  add(port) {
    this.#upstreams.set(port, { port, ready: true, isWatched: false, dealt: 0 });
  }

  /**
   * Deals no further requests to a node. Its open streams go on.
   *
   * @param {number} port
   */
  remove(port) {
    this.#upstreams.delete(port);
  }

  /** The number of requests that each node received, by port. */
  get dealt() {
    return new Map([...this.#upstreams].map(([port, { dealt }]) => [port, dealt]));
  }

  async close() {
    clearInterval(this.#watching);
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  /**
   * @param {IncomingMessage} request
   * @param {ServerResponse} response
   */
  #receive(request, response) {
    const caller = String(request.headers['x-caller']);
    if (request.url === cutPath) {
      response.end(String(this.#cut(caller)));
      return;
    }
    this.counts.requests++;
    if (request.headers['last-event-id'] !== undefined) this.counts.resumptions++;
    this.#deal(request, response, this.#upstreams.size);
  }

  /**
   * @param {IncomingMessage} request
   * @param {ServerResponse} response
   * @param {number} attempts that are left
   */
  #deal(request, response, attempts) {
    const upstream = this.#next();
    if (upstream === undefined || attempts === 0) {
      this.counts.noNode++;
      refuse(response, 503, { 'retry-after': '1' });
      return;
    }
    const socket = connect({ port: upstream.port, host: '127.0.0.1', noDelay: true });
    const again = () => {
      upstream.ready = false;
      this.counts.again++;
      this.#deal(request, response, attempts - 1);
    };
    socket.once('error', again);
    response.once('close', () => socket.destroy());
    socket.once('connect', () => {
      socket.off('error', again);
      upstream.dealt++;
      this.#pass(request, response, socket);
    });
  }

  /**
   * @param {IncomingMessage} request
   * @param {ServerResponse} response
   * @param {import('node:net').Socket} socket
   */
  #pass(request, response, socket) {
    const { method, url, headers } = request;
    const passed = openRequest({
      createConnection: () => socket,
      method,
      path: url,
      headers: { ...headers, connection: 'close' },
    });
    passed.once('error', () => {
      if (response.headersSent) response.destroy();
      else {
        this.counts.badGateway++;
        refuse(response, 502);
      }
    });
    passed.once('response', (answer) => {
      const { connection: _, 'keep-alive': __, ...rest } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, rest);
      response.flushHeaders();
      this.#keep(request, response, answer);
      answer.once('aborted', () => response.destroy());
      answer.once('error', () => response.destroy());
      answer.pipe(response);
    });
    request.pipe(passed);
  }

  /**
   * Remembers an event stream until it ends, so that it can be cut.
   *
   * @param {IncomingMessage} request
   * @param {ServerResponse} response
   * @param {IncomingMessage} answer
   */
  #keep(request, response, answer) {
    if (!answer.headers['content-type']?.startsWith('text/event-stream')) return;
    const caller = String(request.headers['x-caller']);
    const streams = this.#streams.get(caller) ?? new Set();
    this.#streams.set(caller, streams.add(response));
    response.once('close', () => {
      streams.delete(response);
      if (streams.size === 0 && this.#streams.get(caller) === streams) this.#streams.delete(caller);
    });
  }

  /** @param {string} caller */
  #cut(caller) {
    const streams = [...(this.#streams.get(caller) ?? [])];
    for (const stream of streams) stream.destroy();
    this.counts.cuts += streams.length;
    return streams.length;
  }

  #next() {
    const ready = [...this.#upstreams.values()].filter((upstream) => upstream.ready);
    this.#turn = (this.#turn + 1) % Math.max(1, ready.length);
    return ready[this.#turn];
  }
}

/**
 * Looks at `/readyz`, once at a time. A node that does not answer in time stays as it was: it is slow, not gone.
 *
 * @param {Upstream} upstream
 */
function look(upstream) {
  if (upstream.isWatched) return;
  upstream.isWatched = true;
  const asked = openRequest({
    port: upstream.port,
    host: '127.0.0.1',
    path: '/readyz',
    agent: false,
    timeout: 2_000,
  });
  let isLate = false;
  asked.once('response', (answer) => {
    answer.resume();
    upstream.ready = answer.statusCode === 200;
  });
  asked.once('timeout', () => {
    isLate = true;
    asked.destroy();
  });
  asked.once('error', () => {
    if (!isLate) upstream.ready = false;
  });
  asked.once('close', () => {
    upstream.isWatched = false;
  });
  asked.end();
}

/**
 * @param {ServerResponse} response
 * @param {number} status
 * @param {Record<string, string>} [headers]
 */
function refuse(response, status, headers = {}) {
  if (response.destroyed) return;
  response.writeHead(status, headers);
  response.end();
}
