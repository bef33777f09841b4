import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import {
  type Clock,
  constantsOf,
  detach,
  type OptionRule,
  optionRules,
  pause,
  sameRule,
  withinTime,
} from '@tenon/foundation';
import type { Guard } from '@tenon/mcp-protocol';
import { isLoopback } from '../server/admission/host-rules.js';
import { pathOf, RequestGuard } from '../server/admission/request-guard.js';
import { Traffic, trafficSettings } from '../server/admission/traffic.js';
import type { Application } from '../server/call/application.js';
import { httpBoundsOf } from '../server/call/http-limits.js';
import { reportRefusal } from '../server/call/refusal.js';
import type { HttpOptions } from '../server/http-options.js';
import { requireHttpOptions } from '../server/http-options.js';
import { HttpService, type Mount, type SideMount } from '../server/http-service.js';
import { LateRequests } from './late-requests.js';
import { NodeCall, type NodeCallSettings } from './node-call.js';
import { pageBounds, plainText } from './node-page.js';
import { Readiness } from './readiness.js';
import { PageRouter, type SidePages } from './side-pages.js';
import { endUnread } from './unread-request.js';

/** Address, mounts and limits of the sockets of an HTTP server. Times are in milliseconds. */
export interface ListenOptions {
  /** Port to listen at. Default 0: any free port. */
  readonly port?: number | undefined;
  /** Address to listen at. Default 127.0.0.1; any other needs `allowedHosts`. */
  readonly host?: string | undefined;
  /** Path of the endpoint. Default /mcp. */
  readonly path?: string | undefined;
  /**
   * Authorizes every request from the first one on: a guard such as a `ResourceGuard` of `@tenon/mcp-auth/server`, or a
   * function that makes one for the URL of the endpoint, which is known once the server listens. Default: the guard of the
   * server, if there is one.
   */
  readonly guard?: Guard | ((resource: string) => Guard) | undefined;
  /** Mounts beside the endpoint, such as the transport of 2024. */
  readonly mounts?: readonly SideMount[] | undefined;
  /** Public pages beside the endpoint, such as those of elicitations. The checks of hosts and origins apply to them too. */
  readonly pages?: readonly SidePages[] | undefined;
  /** Answers GET /healthz and /readyz. Default true. */
  readonly health?: boolean | undefined;
  /**
   * Decides with the server whether GET /readyz answers 200: with false, or after 5 seconds, it answers 503. Called while the server does
   * not drain and shared state can be reached. Default: ready.
   */
  readonly ready?: (() => boolean | Promise<boolean>) | undefined;
  /**
   * Milliseconds for which a server that drains serves requests as before, after GET /readyz has begun to answer 503. Set more than
   * the time in which the load balancer notices. Default 0.
   */
  readonly drainDelay?: number | undefined;
  /** Bytes of the headers of one request. Default 16,384; longer headers are answered 431. */
  readonly headerBytes?: number | undefined;
  /** Time limit for receiving a whole request. Default 30,000; a slower request is answered 408. */
  readonly requestTimeout?: number | undefined;
  /** Time limit for an idle connection. Default 65,000. */
  readonly idleTimeout?: number | undefined;
  /** Connections at the same time. Default 10,000; further connections are closed at once. */
  readonly maxConnections?: number | undefined;
}

const listenRules: Readonly<Record<keyof ListenOptions, OptionRule>> = sameRule(
  optionRules.anything,
  ...(['port', 'host', 'path', 'guard', 'mounts', 'pages', 'health', 'ready'] as const),
  ...(['drainDelay', 'headerBytes', 'requestTimeout', 'idleTimeout', 'maxConnections'] as const),
);

/** A running HTTP server. */
export interface HttpServing {
  /** URL of the endpoint. */
  readonly url: string;
  /**
   * Makes /readyz answer 503, and waits for `drainDelay`. Then rejects new sessions and requests, ends streams in good order, and
   * lets running requests finish within the limit. The port stays open.
   */
  drain(): Promise<void>;
  /** Drains, then closes every connection and the port. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * Serves an application on a port of its own. Resolves when the server listens. Rejects if it cannot listen at the address.
 * @throws TypeError or RangeError if an option is invalid.
 */
export async function listenHttp(
  application: Application,
  options: HttpOptions & ListenOptions,
): Promise<HttpServing> {
  requireHttpOptions(options, listenRules);
  const { host = '127.0.0.1', port = 0, path = '/mcp' } = options;
  if (!isLoopback(host) && options.allowedHosts === undefined) {
    throw new TypeError(
      `Listening at ${host} accepts requests from other machines: list the host names of this server in allowedHosts, such as ["mcp.example.com"], or use "any" if a proxy in front checks them.`,
    );
  }
  if (!path.startsWith('/'))
    throw new TypeError(`path must begin with a slash, not ${JSON.stringify(path)}.`);
  const { guard, drainDelay = 0 } = options;
  if (!(drainDelay >= 0 && drainDelay < Number.POSITIVE_INFINITY))
    throw new RangeError('drainDelay must be a number of milliseconds, 0 or more.');
  const served = new Served(application, { ...options, path });
  if (guard === undefined) served.requestGuard.open();
  const server = createServer(serverOptions(options), served.handle);
  server.maxConnections = options.maxConnections ?? 10_000;
  server.keepAliveTimeout = options.idleTimeout ?? 65_000;
  endUnreading(server, options.writeTimeout ?? 60_000);
  let url: string;
  try {
    await new Promise<void>((resolve, reject) => {
      const failed = (error: Error) => reject(portFailure(error, { host, port }));
      server.once('error', failed);
      server.listen(port, host, () => {
        server.off('error', failed);
        resolve();
      });
    });
    url = urlOf(server, host, path);
    // Before the first request: the event loop has not polled since the port is open.
    if (guard !== undefined) served.requestGuard.guard(typeof guard === 'function' ? guard(url) : guard);
  } catch (error) {
    served.requestGuard.close();
    server.close();
    throw error;
  }
  server.on('clientError', (error, socket) => endUnread(error, socket, application.events));
  server.on('error', (error) => served.onError(error, 'http server'));
  const { drain: patience } = httpBoundsOf(options.limits);
  return new Listening(server, served, { url, clock: options.clock ?? application.clock, patience });
}

/** Returns the error for a port that cannot be opened, with what to do. */
function portFailure(
  error: NodeJS.ErrnoException,
  { host, port }: { readonly host: string; readonly port: number },
): Error {
  const { code = '' } = error;
  const fix = portFixes[code];
  if (fix === undefined) return error;
  return Object.assign(new Error(`Port ${port} of ${host} ${fix} (${code}).`, { cause: error }), { code });
}

const portFixes: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'is in use by another program: end that program, or give another port; port 0 takes any free one',
  EACCES: 'may be opened by privileged programs only: give a port above 1023',
  EADDRNOTAVAIL: 'cannot be opened, because this machine does not have that address: give another host',
};

function urlOf(server: Server, host: string, path: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`;
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

/** Closes connections with unread data and no progress. A connection that waits for an answer may wait long. */
function endUnreading(server: Server, ms: number): void {
  // The fraction distinguishes this time limit from the one Node sets for a connection without a request.
  const patience = ms + 0.5;
  server.setTimeout(patience, (socket) => {
    if (socket.writableLength > 0 || socket.timeout !== patience) socket.destroy();
  });
}

/** Everything that one port serves. */
class Served {
  /** Access control for all requests of the port. */
  readonly requestGuard: RequestGuard;
  readonly #service: HttpService;
  readonly #mounts = new Map<string, Mount>();
  readonly #pages: PageRouter;
  readonly #calls: NodeCallSettings;
  readonly #health: boolean;
  readonly #readiness: Readiness;
  readonly #clock: Clock;
  readonly #drainDelay: number;
  #draining: Promise<void> | undefined;

  constructor(application: Application, options: HttpOptions & ListenOptions & { readonly path: string }) {
    this.#service = new HttpService(application, options);
    this.#calls = { traffic: new Traffic(trafficSettings(application, options)) };
    this.requestGuard = new RequestGuard(options, this.onError, application.serverGuard);
    this.#health = options.health !== false;
    this.#clock = options.clock ?? application.clock;
    this.#drainDelay = options.drainDelay ?? 0;
    this.#readiness = new Readiness({
      isServing: () => this.#draining === undefined && this.#service.ready,
      hasState: () => this.#service.hasState,
      ready: options.ready,
      clock: this.#clock,
      onError: this.onError,
    });
    this.#add(options.path, this.#service);
    for (const mount of options.mounts ?? []) for (const path of mount.paths) this.#add(path, mount);
    this.#pages = pagesOf(options, application, this.onError);
    for (const path of this.#pages.paths) this.#requireFree(path);
  }

  get onError(): Application['onError'] {
    return this.#service.onError;
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const call = new NodeCall(request, response, this.#calls);
    if (response.socket === null && call.refusesPipelining()) return;
    const path = pathOf(call.url);
    const mount = this.#mounts.get(path);
    call.bounds = this.#service.bounds;
    if (mount !== undefined) this.requestGuard.admit(call, (principal) => mount.handle(call, principal));
    else if (this.#health && path === '/healthz') call.send(200, plainText, 'ok\n');
    else if (this.#health && path === '/readyz') this.#readiness.answer(call);
    else if (!this.requestGuard.answersDocument(call)) {
      const page = this.#pages.find(path);
      if (page === undefined) {
        reportRefusal(call, 404, 'Nothing is served at this path.');
        call.send(404, plainText, 'Not found\n');
      } else if (!this.requestGuard.rejectsPage(call))
        detach(this.#pages.answer(page, call, request), (error) => this.onError(error, 'pages'));
    }
  };

  drain(): Promise<void> {
    this.#draining ??= this.#drain();
    return this.#draining;
  }

  async #drain(): Promise<void> {
    if (this.#drainDelay > 0) await pause(this.#clock, this.#drainDelay, { holds: true });
    const mounts = [...new Set(this.#mounts.values())];
    await Promise.all([this.#pages.drain(), ...mounts.map((mount) => mount.drain())]);
  }

  #add(path: string, mount: Mount): void {
    if (!path.startsWith('/'))
      throw new TypeError(`A path must begin with a slash, not ${JSON.stringify(path)}.`);
    this.#requireFree(path);
    this.#mounts.set(path, mount);
  }

  #requireFree(path: string): void {
    if (this.#health && (path === '/healthz' || path === '/readyz')) {
      throw new TypeError(
        `${path} is the path of a health check; choose another path, or set health to false.`,
      );
    }
    if (this.#mounts.has(path)) throw new TypeError(`Two mounts have the path ${path}; give each its own.`);
  }
}

function pagesOf(
  options: HttpOptions & ListenOptions,
  application: Application,
  onError: Application['onError'],
): PageRouter {
  const { pages = [], limits, clock } = options;
  const { drain: patience } = httpBoundsOf(limits);
  return new PageRouter(pages, {
    ...constantsOf(pageBounds, options),
    clock: clock ?? application.clock,
    patience,
    onError,
  });
}

/** Turns of the event loop in which a server that closes accepts the connections that wait for it, at most. */
const mostTurns = 100;

/**
 * Resolves when the connections that wait for a server are accepted: the system breaks those that wait when the port is closed. In a
 * turn of the event loop that does much else, more can arrive; after a short one hardly any is left.
 */
async function acceptWaiting(): Promise<void> {
  for (let turn = 0; turn < mostTurns; turn++) {
    const since = performance.now();
    await new Promise((resolve) => setImmediate(resolve));
    if (turn > 0 && performance.now() - since < 1) return;
  }
}

interface ListeningSettings {
  readonly url: string;
  readonly clock: Clock;
  /** Milliseconds that closing waits for clients to read their answers. */
  readonly patience: number;
}

class Listening implements HttpServing {
  readonly url: string;
  readonly #server: Server;
  readonly #served: Served;
  readonly #settings: ListeningSettings;
  readonly #sockets = new Set<Socket>();
  #closing: Promise<void> | undefined;

  constructor(server: Server, served: Served, settings: ListeningSettings) {
    this.#server = server;
    this.#served = served;
    this.#settings = settings;
    this.url = settings.url;
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  drain(): Promise<void> {
    return this.#served.drain();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { clock, patience } = this.#settings;
    const late = new LateRequests(this.#server);
    let closed: Promise<void> | undefined;
    try {
      await this.#served.drain();
      await acceptWaiting();
      closed = this.#refuseConnections();
      await withinTime(late.answered(clock), { clock, ms: patience, holds: true });
      await this.#sent();
    } finally {
      closed ??= this.#refuseConnections();
      this.#server.closeAllConnections();
      await closed;
      this.#served.requestGuard.close();
    }
  }

  /** Refuses connections from now on, and ends none. Resolves when all have ended. */
  #refuseConnections(): Promise<void> {
    // A connection that counts as idle may have a complete answer that is not sent yet.
    this.#server.closeIdleConnections = () => {};
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  /** Ends every connection when its client has received everything written for it. */
  async #sent(): Promise<void> {
    // Data written in this tick is sent at its end.
    await new Promise((resolve) => setImmediate(resolve));
    const gone = [...this.#sockets].map((socket) => {
      socket.destroySoon();
      return new Promise((resolve) => socket.once('close', resolve));
    });
    const { clock, patience } = this.#settings;
    await withinTime(Promise.all(gone), { clock, ms: patience, holds: true });
  }
}
