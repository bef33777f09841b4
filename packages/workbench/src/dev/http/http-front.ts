import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BoundedMap, detach, systemClock, withinTime } from '@tenon/foundation';
import { WorkbenchError } from '../../failures/workbench-error.js';
import { CallTrace } from '../call-trace.js';
import type { ListChange } from '../lists/list-snapshot.js';
import type { DevChild } from '../supervisor/dev-child.js';
import type { DevFront, FrontParts } from '../supervisor/dev-front.js';
import { ProxiedRequest } from './proxied-request.js';

const defaultPort = 3_000;
/** Ports that are tried if the default one is taken. */
const portsTried = 100;
const host = '127.0.0.1';
/** Sessions with a known client. */
const mostNames = 1_000;

/** Accepts requests over HTTP and forwards them to the child that serves now. */
export class HttpFront implements DevFront {
  readonly #parts: FrontParts;
  readonly #port: number | undefined;
  readonly #server: Server;
  readonly #trace: CallTrace;
  readonly #open = new Set<ProxiedRequest>();
  readonly #names = new BoundedMap<string, string>(mostNames);
  #path = '/mcp';

  constructor(parts: FrontParts, port: number | undefined) {
    this.#parts = parts;
    this.#port = port;
    this.#trace = new CallTrace(parts.emit);
    this.#server = createServer((request, response) => this.#handle(request, response));
    this.#server.maxConnections = 1_000;
  }

  get url(): string | undefined {
    const address = this.#server.address() as AddressInfo | null;
    return address === null ? undefined : `http://${host}:${address.port}${this.#path}`;
  }

  async open(): Promise<void> {
    const first = this.#port ?? defaultPort;
    const tries = this.#port === undefined ? portsTried : 1;
    for (let port = first; port < first + tries; port++) {
      try {
        this.#server.listen(port, host);
        await once(this.#server, 'listening');
        if (port !== first) {
          const message = `The port ${first} is taken; this server has ${port}. Choose another one with --port.`;
          this.#parts.emit({ type: 'note', message });
        }
        return;
      } catch (error) {
        const isLast = port + 1 === first + tries;
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || isLast) throw portFailure(port, error);
      }
    }
  }

  async adopt(child: DevChild): Promise<void> {
    if (child.url !== undefined) this.#path = new URL(child.url).pathname;
  }

  forget(): void {
    // Nothing was sent to it.
  }

  async announce(
    child: DevChild,
    changes: readonly ListChange[],
    earlier: readonly DevChild[],
  ): Promise<void> {
    await Promise.all([child, ...earlier].map((one) => one.announce(changes)));
  }

  async drain(child: DevChild): Promise<void> {
    const calls = [...this.#open].filter((one) => one.child === child && !one.isLasting);
    const limit = { clock: systemClock, ms: this.#parts.bounds.callTime, holds: true };
    await withinTime(Promise.all(calls.map(({ done }) => done)), limit);
  }

  lost(): void {
    // The connections to the child break, and each request answers its client.
  }

  async close(): Promise<void> {
    for (const one of this.#open) one.end();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    if (this.#server.listening) await closed;
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const proxied = new ProxiedRequest(
      { ...this.#parts, trace: this.#trace, names: this.#names },
      { request, response },
    );
    this.#open.add(proxied);
    detach(
      proxied.run().finally(() => this.#open.delete(proxied)),
      () => response.destroy(),
    );
  }
}

function portFailure(port: number, cause: unknown): WorkbenchError {
  const { code } = cause as NodeJS.ErrnoException;
  const reason = code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${code})`;
  return new WorkbenchError('usage', `The port ${port} ${reason}.`, {
    hint: 'Choose another one with --port.',
    cause,
  });
}
