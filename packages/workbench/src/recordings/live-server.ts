import { detach } from '@tenon/foundation';
import type { Dialer } from '@tenon/mcp-client';
import type { MemoryServer } from '@tenon/mcp-client/memory';
import {
  type Connection,
  type Envelope,
  ErrorCode,
  findRevision,
  MetaKey,
  RemoteError,
  type Revision,
  serverPort,
  TransportError,
} from '@tenon/mcp-protocol';
import { findParamHeaders, isObject, mirroredHeaders, paramHeaderValues } from '@tenon/mcp-protocol/internal';

/** A server behind a transport, for messages that are already made. */
interface LiveServer extends MemoryServer {
  /** The first error of the transport. */
  readonly failure: Error | undefined;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** Returns a server that a recorded client can be played to. Each accepted connection opens one to the server. */
export function liveServer(dialer: Dialer): LiveServer {
  let failure: Error | undefined;
  const bridges: Bridge[] = [];
  return {
    get failure() {
      return failure;
    },
    [serverPort]: {
      accept(connection) {
        const bridge = new Bridge(dialer, connection);
        bridges.push(bridge);
        bridge.onFailure = (error) => {
          failure ??= error;
        };
        bridge.begin();
      },
    },
    async close() {
      await Promise.allSettled(bridges.map((bridge) => bridge.end()));
    },
  };
}

/** Passes messages between a played client and a transport. */
class Bridge {
  onFailure: (error: Error) => void = () => {};
  readonly #dialer: Dialer;
  readonly #client: Connection;
  /** The messages before the connection is open, in order. */
  #opening: Promise<Connection> | undefined;
  #server: Connection | undefined;
  #revision: Revision | undefined;
  /** The annotated parameters of the listed tools, which headers repeat. */
  readonly #schemas = new Map<string, object>();
  #isOver = false;

  constructor(dialer: Dialer, client: Connection) {
    this.#dialer = dialer;
    this.#client = client;
  }

  begin(): void {
    this.#opening = this.#open(this.#dialer);
    detach(this.#opening, (error) => this.#fail(error));
    let before: Promise<unknown> = this.#opening;
    this.#client.start({
      receive: (value) => {
        if (this.#server !== undefined) this.#send(this.#server, value);
        else
          before = before.then(
            () => this.#server && this.#send(this.#server, value),
            () => {},
          );
        return undefined;
      },
      malformed: () => undefined,
      closed: () => {
        detach(this.end(), () => {});
      },
    });
  }

  /** Closes the connection to the server. */
  async end(): Promise<void> {
    this.#isOver = true;
    const server = await this.#opening;
    await (this.#server ?? server)?.close();
  }

  async #open(dialer: Dialer): Promise<Connection> {
    const server = await dialer.open();
    server.start({
      receive: (value) => {
        this.#received(value);
        return undefined;
      },
      malformed: (reason) => {
        this.#received(reason);
        return undefined;
      },
      closed: (reason) => {
        if (this.#server === server) this.#fail(reason);
      },
    });
    this.#server = server;
    return server;
  }

  #send(server: Connection, value: unknown): void {
    const sent = server.send(JSON.stringify(value), this.#envelope(server, value));
    if (sent !== undefined) detach(sent, (error) => this.#unsent(server, value, error));
  }

  #envelope(server: Connection, value: unknown): Envelope {
    if (Array.isArray(value)) return { ids: value.flatMap((one) => (isRequest(one) ? [one.id] : [])) };
    if (!isObject(value) || typeof value.method !== 'string') return {};
    const { method } = value;
    const params = isObject(value.params) ? value.params : undefined;
    this.#settle(server, isObject(params?._meta) ? params._meta[MetaKey.protocolVersion] : undefined);
    const revision = this.#revision;
    const headers =
      revision === undefined || server.carriesHeaders !== true
        ? undefined
        : { ...mirroredHeaders(revision, { method, params }), ...this.#paramHeaders(revision, params) };
    return {
      ...(isRequest(value) && { id: value.id }),
      ...(method === 'initialize' && { opening: true }),
      ...(headers !== undefined && { headers }),
    };
  }

  #paramHeaders(revision: Revision, params: Readonly<Record<string, unknown>> | undefined): object {
    const schema = typeof params?.name === 'string' ? this.#schemas.get(params.name) : undefined;
    if (!revision.rules.mirroredHeaders || schema === undefined) return {};
    const found = findParamHeaders(schema as never);
    return found.ok ? paramHeaderValues(found.headers, params?.arguments as never) : {};
  }

  #settle(server: Connection | undefined, version: unknown): void {
    const revision = typeof version === 'string' ? findRevision(version) : undefined;
    if (revision === undefined || revision === this.#revision) return;
    this.#revision = revision;
    server?.settled?.(revision, { clientCapabilities: {} });
  }

  #received(value: unknown): void {
    const result = isObject(value) && isObject(value.result) ? value.result : {};
    this.#settle(this.#server, result.protocolVersion);
    if (Array.isArray(result.tools)) {
      for (const tool of result.tools)
        if (isObject(tool) && typeof tool.name === 'string' && isObject(tool.inputSchema))
          this.#schemas.set(tool.name, tool.inputSchema);
    }
    const sent = this.#client.send(JSON.stringify(value));
    if (sent !== undefined) detach(sent, () => {});
  }

  /** Handles the error of one frame. */
  #unsent(server: Connection, value: unknown, error: unknown): void {
    if (this.#isOver) return;
    if (this.#isOlder(value, error)) {
      detach(this.#fallBack(server, value), (failed) => this.#fail(failed));
    } else if (isRequest(value) && statusOf(error) !== undefined) {
      this.#received({ jsonrpc: '2.0', id: value.id, error: errorFor(value, error) });
    } else this.#fail(error);
  }

  /** True if the server does not have the transport, but may have the older one. */
  #isOlder(value: unknown, error: unknown): boolean {
    const isOpening = isObject(value) && value.method === 'initialize';
    return isOpening && this.#dialer.older !== undefined && [400, 404, 405].includes(statusOf(error) ?? 0);
  }

  async #fallBack(server: Connection, value: unknown): Promise<void> {
    this.#server = undefined;
    await server.close();
    const older = await this.#dialer.older?.();
    if (older !== undefined) this.#send(await this.#open(older), value);
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (error instanceof Error) this.onFailure(error);
    detach(this.#client.close(), () => {});
  }
}

/** Returns the HTTP status of a request that the server answered with an error; undefined for other errors, and for sign-in. */
function statusOf(error: unknown): number | undefined {
  const cause = error instanceof RemoteError ? (error.cause ?? error) : error;
  const status = cause instanceof TransportError ? cause.status : undefined;
  if (status === undefined) return error instanceof RemoteError ? 0 : undefined;
  return status >= 400 && status !== 401 && status !== 403 ? status : undefined;
}

/** Returns the error of a response for a request that HTTP answered with an error. */
function errorFor(request: object, error: unknown): object {
  const method = isObject(request) ? request.method : undefined;
  // Servers without the method answer this probe in several ways over HTTP, and with this error over stdio.
  if (method === 'server/discover') return { code: ErrorCode.methodNotFound, message: 'Method not found' };
  if (!(error instanceof RemoteError)) return { code: -32_000, message: (error as Error).message };
  const { code, message, data } = error;
  return { code, message, ...(data !== undefined && { data }) };
}

function isRequest(value: unknown): value is { readonly id: string | number } {
  return (
    isObject(value) &&
    value.method !== undefined &&
    (typeof value.id === 'string' || typeof value.id === 'number')
  );
}
