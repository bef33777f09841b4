import { serveHttp } from '@tenon/mcp-server/http';
import { sseMount } from '@tenon/mcp-server/sse';
import { FaultProxy } from '../faults/fault-proxy.js';
import { stormServer } from '../storm/storm-server.js';

/**
 * The values that all rounds of a soak share.
 *
 * @typedef {object} RoundSetup
 * @property {number} seed
 * @property {Uint8Array} handled how often the server answered each number
 * @property {import('../children/counted-clock.js').CountedClock} clock
 * @property {(error: unknown, where: string) => void} onError
 */

/** One server definition, served in this process, and over HTTP behind a proxy that breaks connections. */
export class SoakServers {
  server;
  proxy;
  /** The URL of the proxy. */
  url = '';
  /** The number of open conversations. */
  endpoints = 0;
  /** True while connections may break. */
  isStormy = true;
  #http;

  /**
   * @param {RoundSetup} setup
   * @param {ReturnType<typeof stormServer>} server
   * @param {import('@tenon/mcp-server/http').HttpServing} http
   */
  constructor({ seed }, server, http) {
    this.server = server;
    this.#http = http;
    this.proxy = new FaultProxy(Number(new URL(http.url).port), seed);
    const accept = server.accept.bind(server);
    server.accept = (...given) => {
      const endpoint = accept(...given);
      this.endpoints++;
      endpoint.onClosed(() => this.endpoints--);
      return endpoint;
    };
  }

  /** @param {RoundSetup} setup */
  static async open(setup) {
    const { handled, clock, onError } = setup;
    const limits = { requestTotal: 3_000, handlerTime: 10_000, drain: 1_000 };
    const server = stormServer(handled, { clock, onError, limits });
    const http = await serveHttp(server, {
      clock,
      onError,
      limits: { keepAlive: 1_000, sessionIdle: 3_000, retry: 200, drain: 1_000 },
      mounts: [sseMount(server, { clock })],
    });
    const servers = new SoakServers(setup, server, http);
    const url = new URL(http.url);
    url.port = String(await servers.proxy.listen());
    servers.url = url.href;
    servers.proxy.storm();
    return servers;
  }

  /** Stops all faults. */
  calm() {
    this.isStormy = false;
    this.proxy.calm();
  }

  async close() {
    await this.proxy.close();
    await this.#http.close();
    await this.server.close();
  }
}
