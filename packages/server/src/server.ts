import { detach } from '@tenon/foundation';
import {
  type Connection,
  type Contract,
  type Contracted,
  type Guard,
  type GuardTarget,
  type Implementation,
  type LogLevel,
  type LogParams,
  type Method,
  serverPort,
  TransportError,
} from '@tenon/mcp-protocol';
import { onlyGuard } from '@tenon/mcp-protocol/internal';
import { Endpoint, KeepAlive, type Middleware, statelessEndpoint } from '@tenon/mcp-session';
import { unlessLate } from '@tenon/mcp-session/internal';
import { logging, tellLog } from './context/logging.js';
import { listChanged } from './core/audience.js';
import { development } from './core/development.js';
import type { ServerEventListener } from './core/server-events.js';
import {
  type AddedOptions,
  installation,
  installationOf,
  type ServerExtension,
} from './extensions/installation.js';
import { registerEntries, registrarOf } from './extensions/registrar.js';
import { completion } from './features/completion.js';
import { customMethod, type MethodHandler, type MethodOptions } from './features/custom-methods.js';
import type { PromptHandler, PromptOptions } from './features/prompt-options.js';
import { Prompts } from './features/prompts.js';
import type { ResourceHandler, ResourceOptions } from './features/resources/resource-options.js';
import { Resources } from './features/resources/resources.js';
import { ListenStreams } from './features/resources/subscriptions.js';
import type { ToolHandler, ToolOptions } from './features/tool-options.js';
import { Tools } from './features/tools.js';
import { notifyElicitationComplete } from './input/elicitation-complete.js';
import { lifecycle, openSession, type SettledSession } from './lifecycle.js';
import { requireServerOptions } from './option-rules.js';
import { partsOf, type ServerOptions, type ServerParts } from './options.js';
import type { InferInput, InferOutput, Schema } from './schemas/schema.js';
import { PortedServer } from './server-port.js';
import { ServerProcesses } from './sharing/server-processes.js';
import { SharedEndpoint } from './sharing/shared-endpoint.js';

/** The contract of a server without entries. */
export interface EmptyContract extends Contract {
  readonly tools: object;
  readonly prompts: object;
}

type OneTool<Name extends string, Input, Output> = {
  readonly tools: { readonly [N in Name]: { readonly input: Input; readonly output: Output } };
};

type OnePrompt<Name extends string, Args> = {
  readonly prompts: { readonly [N in Name]: { readonly args: Args } };
};

type Accepted<S> = S extends Schema ? InferInput<S> : { readonly [key: string]: never };

/**
 * A server definition: one definition serves all peers in all revisions. It lives as long as the program and
 * contains no data of a peer.
 */
export class Server<
    C extends Contract = EmptyContract,
    Added extends object = object,
    State extends object = object,
  >
  extends PortedServer
  implements Contracted<C>, GuardTarget
{
  declare readonly '~contract'?: C;
  readonly #parts: ServerParts;
  readonly #tools: Tools;
  readonly #prompts: Prompts;
  readonly #resources: Resources;
  readonly #endpoints = new Set<Endpoint>();
  readonly #keepAlive: KeepAlive | undefined;
  /** The other processes that share the state. */
  readonly #others: ServerProcesses | undefined;
  #stateless: Endpoint | undefined;

  /**
   * @param info - the server info.
   * @throws TypeError or RangeError if an option is invalid.
   */
  constructor(info: Implementation, options: ServerOptions = {}) {
    super();
    requireServerOptions(options);
    const parts = partsOf(info, options);
    this.#parts = parts;
    const { features, audience, subscriptions, behaviour, processes, extensions } = parts;
    const { clock, onError } = parts.context;
    const { keepAlive } = options;
    const installed = installationOf(extensions);
    this.#tools = new Tools(parts, {
      intercept: installed?.intercept(parts, extensions),
      interceptRun: installed?.interceptRun(parts, extensions),
      exposed: behaviour.exposed,
    });
    this.#prompts = new Prompts(parts);
    this.#resources = new Resources(parts, subscriptions);
    this.#keepAlive =
      keepAlive &&
      new KeepAlive(keepAlive, clock, (endpoint, error) => {
        onError(error, 'keep-alive');
        detach(endpoint.close(), (failure) => onError(failure, 'keep-alive'));
      });
    features.add(lifecycle(parts));
    for (const entries of [this.#tools, this.#prompts, this.#resources]) features.add(entries.feature);
    features.add(completion(parts, this.#prompts, this.#resources));
    features.add(new ListenStreams(parts, this.#resources).feature);
    if (options.logging !== false) features.add(logging);
    for (const extension of extensions)
      features.add(extension[installation].feature(parts, extension, this.#tools));
    for (const name of options.declare ?? []) features.use(name);
    for (const extension of extensions) registerEntries(extension, registrarOf(this), onError);
    const shared = { ...parts, resources: this.#resources, endpoints: this.#endpoints };
    this.#others = processes && new ServerProcesses({ ...shared, processes });
    this[serverPort] = {
      revisions: parts.revisions,
      clock,
      onError,
      events: parts.events,
      processes,
      serverGuard: parts.serverGuard,
      leaving: () => features.drain(),
      isRepeatable: (message) => this.#tools.isRepeatable(message),
      accept: (connection, session) => this.#accept(connection, session),
      answer: (value, exchange) => {
        this.#stateless ??= this.#startStateless();
        return this.#stateless.receive(value, exchange);
      },
    };
    development()?.created(this, (list) => audience.receive({ method: listChanged[list] }));
  }

  get info(): Implementation {
    return this.#parts.info;
  }

  /**
   * Registers a tool.
   * @param handler - receives the validated input; the option `output` decides what it may return.
   * @throws TypeError if the name is taken, or a schema cannot be listed or enforced.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
   */
  tool<
    const Name extends string,
    const Input extends Schema | undefined = undefined,
    const Output extends Schema | undefined = undefined,
  >(
    name: Name,
    options: ToolOptions<Input, Output> & Partial<Added>,
    handler: ToolHandler<Input, Output, State>,
    // The intersection has no name: it stays flat, however long the chain; named intersections nest,
    // and the compiler fails at a hundred.
  ): Server<
    C & OneTool<Name, Accepted<Input>, Output extends Schema ? InferOutput<Output> : unknown>,
    Added,
    State
  > {
    this.#tools.add(name, options as never, handler as never);
    return this as never;
  }

  /**
   * Registers a resource by its URI, or a family of resources by an RFC 6570 template.
   * @throws TypeError or RangeError if the URI, the template or an option is invalid, or the URI is taken.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
   */
  resource<const Uri extends string>(
    uri: Uri,
    options: ResourceOptions<Uri, State>,
    handler: ResourceHandler<Uri, State>,
  ): this {
    this.#resources.add(uri, options as never, handler as never);
    if (options.complete !== undefined) this.#parts.features.use('completions');
    return this;
  }

  /**
   * Registers a prompt.
   * @throws TypeError if the name is taken, or the schema of its arguments is not an object.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
   */
  prompt<const Name extends string, const Args extends Schema | undefined = undefined>(
    name: Name,
    options: PromptOptions<Args, State>,
    handler: PromptHandler<Args, State>,
  ): Server<C & OnePrompt<Name, Accepted<Args>>, Added, State> {
    this.#prompts.add(name, options as never, handler as never);
    if (options.complete !== undefined) this.#parts.features.use('completions');
    return this as never;
  }

  /**
   * Handles a method outside the core protocol; clients call it with `client.request(method, params)`.
   * @param method - as `defineMethod` returned it.
   * @throws TypeError or RangeError if the method has a handler already, belongs to the core protocol, or an option is malformed.
   */
  handle<M extends Method>(method: M, handler: MethodHandler<M, State>, options?: MethodOptions): this {
    const served = customMethod(this.#parts, method, {
      handler: handler as unknown as MethodHandler,
      options,
    });
    this.#parts.features.add({ name: `Method "${method.name}"`, methods: { [method.name]: served } });
    return this;
  }

  /** Removes a tool; false if there is none of that name. */
  removeTool(name: string): boolean {
    return this.#tools.remove(name);
  }

  /** Removes a resource by its URI, or a template by its text; false if there is none. */
  removeResource(uri: string): boolean {
    return this.#resources.remove(uri);
  }

  /** Removes a prompt; false if there is none of that name. */
  removePrompt(name: string): boolean {
    return this.#prompts.remove(name);
  }

  /**
   * Wraps every request in both directions; the first one added is outermost. Handlers registered on the result read the values
   * that it sets in `call.state` as `ctx.state`: `use<{ user: User }>(...)`.
   * @throws TypeError if it is not a function.
   */
  use<Filled extends object = object>(
    middleware: Middleware<State & Filled>,
  ): Server<C, Added, State & Filled> {
    if (typeof middleware !== 'function') {
      throw new TypeError('use() takes middleware: a function of (call, next).');
    }
    this.#parts.middleware.push(middleware as Middleware);
    return this as never;
  }

  /**
   * Sets the guard that authorizes callers over HTTP, on all endpoints and from now on. It has no effect on other
   * transports.
   * @throws TypeError if there is a guard already.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
   */
  guard(guard: Guard): this {
    const { serverGuard } = this.#parts;
    serverGuard.guard = onlyGuard(guard, serverGuard.guard);
    return this;
  }

  /** Notifies all subscribers of a resource that can see it of a change, with shared state in every process. */
  resourceUpdated(uri: string): void {
    this.#resources.updated(uri);
  }

  /** Notifies all listeners that the resources of a template's `list` have changed, with shared state in every process. */
  resourceListChanged(): void {
    this.#parts.audience.announce({ method: listChanged.resources });
  }

  /**
   * Notifies the client that an elicitation by URL is complete, in the revision with that notification. With shared state, a
   * session of another process is notified in the background.
   * @param elicitationId - the id passed to `ctx.elicitUrl`, or in an `UrlElicitationRequiredError`.
   * @returns false if this process sent the id to no open session.
   */
  elicitationCompleted(elicitationId: string): boolean {
    const isKnown = notifyElicitationComplete(this.#endpoints, elicitationId);
    if (!isKnown) this.#others?.elicitationCompleted(elicitationId);
    return isKnown;
  }

  /**
   * Sends a log message to every session with a log level that includes its severity, with shared state in every process.
   * @deprecated by the newest revision, which has log messages only inside a request.
   */
  log(level: LogLevel, data: unknown, logger?: string): void {
    if (this.#parts.context.capabilities.declared.logging === undefined) return;
    const message = logger === undefined ? { level, data } : { level, data, logger };
    const share = this.#others && ((clean: LogParams) => this.#others?.log(clean));
    tellLog(this.#parts.context, message, { endpoints: this.#endpoints, share });
  }

  /**
   * Calls a function with each event of the server: requests, refusals, sessions, lost calls, the state, errors. It is called after the
   * work that an event tells of, and its errors are ignored.
   * @returns a function that removes it.
   */
  onEvent(listener: ServerEventListener): () => void {
    return this.#parts.events.add(listener);
  }

  /** Compiles every schema now instead of at its first use. */
  async compileSchemas(): Promise<this> {
    await this.#tools.prepare();
    await this.#prompts.prepare();
    return this;
  }

  /**
   * Ends every connection and every listen stream: rejects new requests, and lets running ones finish within the drain limit.
   */
  async close(): Promise<void> {
    const { features, context } = this.#parts;
    const { clock, limits, onError } = context;
    const drained = features.drain();
    features.closing();
    await Promise.all([drained, ...[...this.#endpoints].map((endpoint) => endpoint.close())]);
    await features.stop();
    if (this.#others === undefined) return;
    try {
      await unlessLate(this.#others.close(), 'Leaving the shared state', { clock, limits });
    } catch (error) {
      onError(error, 'close');
    }
  }

  #accept(connection: Connection, session: SettledSession | undefined): Endpoint {
    const { features, notifications, behaviour } = this.#parts;
    features.start();
    const processes = this.#others;
    const endpoint =
      processes === undefined
        ? new Endpoint(behaviour, connection, { notifications })
        : new SharedEndpoint({ behaviour, processes }, connection, { notifications });
    this.#endpoints.add(endpoint);
    endpoint.onClosed(this.#forget);
    if (connection.intermittent !== true) this.#keepAlive?.watch(endpoint);
    if (session !== undefined) openSession(this.#parts, endpoint, session);
    return endpoint.start();
  }

  #startStateless(): Endpoint {
    const endpoint = statelessEndpoint(this.#parts.behaviour, this.#parts.notifications);
    this.#parts.features.start();
    return endpoint;
  }

  // One function for all endpoints: many may be idle.
  readonly #forget = (reason: Error | undefined, endpoint: Endpoint): void => {
    this.#endpoints.delete(endpoint);
    // A peer that disconnects is normal; a connection that the server closed is reported.
    if (reason instanceof TransportError && reason.cause === undefined) {
      this.#parts.context.onError(reason, 'connection');
    }
  };
}

/**
 * Creates a server definition.
 * @throws TypeError or RangeError if an option is invalid.
 */
export function createServer<const Extensions extends readonly ServerExtension[] = readonly []>(
  info: Implementation,
  options: ServerOptions & { readonly extensions?: Extensions } = {},
): Server<EmptyContract, AddedOptions<Extensions>> {
  return new Server(info, options);
}
