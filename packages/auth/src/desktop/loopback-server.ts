import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { finished } from 'node:stream/promises';
import { cannotListen, type RedirectAddress } from './redirect-address.js';
import { pageHeaders, strayPage } from './sign-in-pages.js';

/** Bounds for requests from any program on this machine. */
const bounds = { headerBytes: 16_384, requestTime: 5_000, connections: 256, repeats: 8, tries: 5 };

/** An HTTP server on this machine that receives one redirect of the user's browser. */
export class LoopbackServer {
  readonly #address: RedirectAddress;
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  #port = 0;
  #state: string | undefined;
  #taken: string | undefined;
  #take: (response: URL) => void = () => {};
  /** Browsers that wait for the final page. */
  readonly #waiting = new Set<ServerResponse>();

  private constructor(address: RedirectAddress) {
    this.#address = address;
  }

  /** @throws AuthError `interaction-failed` */
  static async listen(address: RedirectAddress): Promise<LoopbackServer> {
    for (let tries = 1; ; tries++) {
      const server = new LoopbackServer(address);
      try {
        await server.#listen();
        return server;
      } catch (error) {
        await server.close();
        // Two addresses share the port, and only the first had it free.
        const mayPass = address.port === 0 && (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
        if (!mayPass || tries === bounds.tries) throw cannotListen(address, error);
      }
    }
  }

  get redirectUri(): string {
    return this.#address.uri(this.#port);
  }

  get port(): number {
    return this.#port;
  }

  /** Waits for the response with this `state`, and ignores others. */
  response(state: string): Promise<URL> {
    this.#state = state;
    return new Promise((resolve) => {
      this.#take = resolve;
    });
  }

  /** Shows a page in the browsers that wait, and closes the server. */
  async close(page = ''): Promise<void> {
    const answered = [...this.#waiting].map((response) => {
      this.#waiting.delete(response);
      this.#sockets.delete(response.req.socket);
      response.writeHead(200, pageHeaders).end(page);
      return finished(response).catch(ignore);
    });
    const closed = this.#servers.map(
      (server) => new Promise<void>((resolve) => server.close(() => resolve())),
    );
    await Promise.all(answered);
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(closed);
  }

  async #listen(): Promise<void> {
    const { port, hosts } = this.#address;
    this.#port = port;
    for (const [index, host] of hosts.entries()) {
      const server = this.#server();
      try {
        await listening(server, { host, port: this.#port });
      } catch (error) {
        // A machine may have only one of the two address families.
        const { code = '' } = error as NodeJS.ErrnoException;
        if (index > 0 && (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')) continue;
        throw error;
      }
      this.#servers.push(server);
      this.#port = (server.address() as AddressInfo).port;
    }
  }

  #server(): Server {
    const { headerBytes: maxHeaderSize, requestTime } = bounds;
    const server = createServer(
      {
        maxHeaderSize,
        headersTimeout: requestTime,
        requestTimeout: requestTime,
        connectionsCheckingInterval: 1_000,
        keepAlive: false,
      },
      (request, response) => this.#answer(request, response),
    );
    server.maxConnections = bounds.connections;
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    return server;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { url = '', method } = request;
    const at = url.indexOf('?');
    const path = at < 0 ? url : url.slice(0, at);
    // A site may resolve its own name to this machine (DNS rebinding).
    if (request.headers.host !== this.#address.authority(this.#port)) refuse(response, 421);
    else if (path !== this.#address.path) refuse(response, 404);
    else if (method !== 'GET') refuse(response, 405, { allow: 'GET' });
    else this.#receive(at < 0 ? '' : url.slice(at), response);
  }

  #receive(query: string, response: ServerResponse): void {
    const states = new URLSearchParams(query).getAll('state');
    const isMeant = states.length === 1 && states[0] === this.#state;
    // A reload of the same page by the same browser.
    const isRepeat = query === this.#taken && this.#waiting.size < bounds.repeats;
    if (!isMeant || !(this.#taken === undefined || isRepeat)) {
      response.writeHead(400, pageHeaders).end(strayPage);
      return;
    }
    this.#waiting.add(response);
    response.on('close', () => this.#waiting.delete(response));
    if (isRepeat) return;
    this.#taken = query;
    this.#take(new URL(this.redirectUri + query));
  }
}

function refuse(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, { ...headers, connection: 'close', 'cache-control': 'no-store' }).end();
}

function listening(server: Server, options: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ ...options, exclusive: true }, () => {
      server.off('error', reject);
      server.on('error', ignore);
      resolve();
    });
  });
}

function ignore(): void {}
