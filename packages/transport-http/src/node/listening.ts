import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Application } from '../server/application.js';
import { Gate } from '../server/gate.js';
import { HttpService, type ServiceOptions } from '../server/http-service.js';
import { isLoopback } from '../server/loopback.js';
import type { Mount, SideMount } from '../server/mount.js';
import { NodeCall } from './node-call.js';

/** Where a server listens, and how patient its sockets are. Times are in milliseconds. */
export interface ListenOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Address to listen at. Default 127.0.0.1; any other needs `allowedHosts`. */
  readonly host?: string;
  /** Path of the endpoint. Default /mcp. */
  readonly path?: string;
  /** Mounts beside the endpoint, such as the transport of 2024. */
  readonly mounts?: readonly SideMount[];
  /** Answers GET /healthz and /readyz. Default true. */
  readonly health?: boolean;
  /** Bytes of the headers of one request. Default 16,384; past it the answer is 431. */
  readonly headerBytes?: number;
  /** How long a request may take to arrive whole. Default 30,000; past it the answer is 408. */
  readonly requestTimeout?: number;
  /** How long an idle connection is kept. Default 65,000. */
  readonly idleTimeout?: number;
  /** Connections at the same time. Default: as many as the process may open. */
  readonly maxConnections?: number;
}

/** A server at work. */
export interface HttpServing {
  /** Address of the endpoint. */
  readonly url: string;
  /**
   * Says no at /readyz and to new sessions and requests, ends streams in good order, and lets what runs finish within
   * the limit. The port stays open.
   */
  drain(): Promise<void>;
  /** Drains, then closes every connection and the port. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * Serves an application on a port of its own. Resolves once it listens.
 * @throws TypeError or RangeError for options that cannot work; rejects when it cannot listen there.
 */
export async function listen(
  application: Application,
  options: ServiceOptions & ListenOptions,
): Promise<HttpServing> {
  const { host = '127.0.0.1', port = 0, path = '/mcp' } = options;
  if (!isLoopback(host) && options.allowedHosts === undefined) {
    throw new TypeError(
      `Listening at ${host} lets other machines in: name the hosts it answers to with allowedHosts, such as ["mcp.example.com"], or "any" where a proxy in front checks them.`,
    );
  }
  if (!path.startsWith('/'))
    throw new TypeError(`path must begin with a slash, not ${JSON.stringify(path)}.`);
  const served = new Served(application, { ...options, path });
  const server = createServer(serverOptions(options), served.handle);
  if (options.maxConnections !== undefined) server.maxConnections = options.maxConnections;
  server.keepAliveTimeout = options.idleTimeout ?? 65_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', (error) => options.onError(error, 'http server'));
  return new Listening(server, served, { host, path });
}

function serverOptions({
  headerBytes = 16_384,
  requestTimeout = 30_000,
}: ListenOptions): Parameters<typeof createServer>[0] {
  return {
    maxHeaderSize: headerBytes,
    requestTimeout,
    headersTimeout: requestTimeout,
    connectionsCheckingInterval: Math.max(100, Math.min(5_000, requestTimeout / 4)),
    noDelay: true,
  };
}

/** Everything one port serves. */
class Served {
  readonly #gate: Gate;
  readonly #service: HttpService;
  readonly #mounts = new Map<string, Mount>();
  readonly #health: boolean;

  constructor(application: Application, options: ServiceOptions & ListenOptions & { readonly path: string }) {
    this.#gate = new Gate(options, options.onError);
    this.#service = new HttpService(application, options);
    this.#health = options.health !== false;
    this.#mounts.set(options.path, this.#service);
    for (const mount of options.mounts ?? []) for (const path of mount.paths) this.#add(path, mount);
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const call = new NodeCall(request, response);
    const path = pathOf(call.url);
    const mount = this.#mounts.get(path);
    if (mount !== undefined) this.#gate.admit(call, (principal) => mount.handle(call, principal));
    else if (this.#health && path === '/healthz') call.send(200, plain, 'ok\n');
    else if (this.#health && path === '/readyz') {
      const { ready } = this.#service;
      call.send(ready ? 200 : 503, plain, ready ? 'ready\n' : 'closing\n');
    } else call.send(404, plain, 'Not found\n');
  };

  async drain(): Promise<void> {
    await Promise.all([...new Set(this.#mounts.values())].map((mount) => mount.drain()));
  }

  #add(path: string, mount: Mount): void {
    if (this.#mounts.has(path)) throw new TypeError(`Two mounts want the path ${path}.`);
    this.#mounts.set(path, mount);
  }
}

const plain = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

class Listening implements HttpServing {
  readonly url: string;
  readonly #server: Server;
  readonly #served: Served;
  #closing: Promise<void> | undefined;

  constructor(
    server: Server,
    served: Served,
    { host, path }: { readonly host: string; readonly path: string },
  ) {
    this.#server = server;
    this.#served = served;
    const { port } = server.address() as AddressInfo;
    this.url = `http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`;
  }

  drain(): Promise<void> {
    return this.#served.drain();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    // New connections are refused at once; what is open may finish.
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    await this.#served.drain();
    // Answers that were just written still have to leave.
    this.#server.closeIdleConnections();
    await new Promise((resolve) => setImmediate(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}
