import {
  type Answer,
  type Clock,
  type Connection,
  type Contract,
  type Contracted,
  type Exchange,
  type Guard,
  type Guardable,
  type Implementation,
  type LogLevel,
  type Method,
  type Revision,
  TransportError,
} from '@tenon/mcp-protocol';
import { detach, onlyGuard } from '@tenon/mcp-protocol/internal';
import { type Behaviour, Endpoint, KeepAlive, type Middleware, statelessEndpoint } from '@tenon/mcp-session';
import type { Context } from './context.js';
import { coreFeatures } from './core-features.js';
import { type Definition, listChanged } from './definition.js';
import type { AddedOptions, EntryRegistrar, ServerExtension } from './extensions/extension.js';
import { extensionFeature } from './extensions/extension-feature.js';
import { customMethod, type MethodHandler, type MethodOptions } from './features/custom-methods.js';
import { tellVisited } from './features/elicitation-complete.js';
import { openSession, type SettledSession } from './features/lifecycle.js';
import { tellLog } from './features/logging.js';
import type { PromptOptions } from './features/prompt-options.js';
import { type PromptReturn, Prompts } from './features/prompts.js';
import type { ResourceHandler, ResourceOptions } from './features/resource-options.js';
import { Resources } from './features/resources.js';
import type { ToolOptions } from './features/tool-options.js';
import { Tools } from './features/tools.js';
import { define, type ServerOptions } from './options.js';
import type { InferInput, InferOutput, Schema } from './schemas/schema.js';
import { requireServerOptions } from './server-option-rules.js';
import type { ToolReturn } from './tool-result.js';

/** The contract of a server nothing is registered on. */
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

type Given<S> = S extends Schema ? InferOutput<S> : { readonly [key: string]: never };
type Accepted<S> = S extends Schema ? InferInput<S> : { readonly [key: string]: never };
type Full = Extract<ToolReturn, { readonly content: unknown }>;
// Conditional as a whole, so that it is resolved before a handler's return is typed and literals in it stay literals.
type Handler<Input, Output> = Output extends Schema
  ? (input: Given<Input>, ctx: Context) => InferInput<Output> | Full | Promise<InferInput<Output> | Full>
  : (input: Given<Input>, ctx: Context) => ToolReturn | Promise<ToolReturn>;

/**
 * One server definition: written once, it serves every peer in every revision. It lives as long as the program and
 * holds no peer's data.
 */
export class Server<C extends Contract = EmptyContract, Added extends object = object>
  implements Contracted<C>, Guardable
{
  declare readonly '~contract'?: C;
  readonly #definition: Definition;
  readonly #behaviour: Behaviour;
  readonly #tools: Tools;
  readonly #prompts: Prompts;
  readonly #resources: Resources;
  readonly #endpoints = new Set<Endpoint>();
  readonly #keepAlive: KeepAlive | undefined;
  readonly #guarding: { guard?: Guard } = {};
  #stateless: Endpoint | undefined;

  /**
   * @param info - what the server says of itself.
   * @throws TypeError or RangeError for options that cannot work.
   */
  constructor(info: Implementation, options: ServerOptions = {}) {
    requireServerOptions(options);
    this.#definition = define(info, options);
    this.#behaviour = { side: 'server', ...this.#definition };
    this.#tools = new Tools(this.#definition, options.extensions ?? []);
    this.#prompts = new Prompts(this.#definition);
    this.#resources = new Resources(this.#definition);
    const { keepAlive } = options;
    const { clock, onError } = this.#definition;
    this.#keepAlive =
      keepAlive &&
      new KeepAlive(keepAlive, clock, (endpoint, error) => {
        onError(error, 'keep-alive');
        detach(endpoint.close(), (failure) => onError(failure, 'keep-alive'));
      });
    const { features } = this.#definition;
    const entries = { tools: this.#tools, prompts: this.#prompts, resources: this.#resources };
    const core = coreFeatures(this.#definition, entries, { withLogging: options.logging !== false });
    const { extensions = [] } = options;
    const added = extensions.map((extension) => extensionFeature(this.#definition, extension));
    for (const feature of [...core, ...added]) features.add(feature);
    for (const name of options.declare ?? []) this.#declare(name);
    for (const extension of extensions) extension.register?.(registrarOf(this));
  }

  get info(): Implementation {
    return this.#definition.info;
  }

  /** Revisions spoken, newest first. */
  get revisions(): readonly Revision[] {
    return this.#definition.revisions;
  }

  /** Time, as its carriers see it too. */
  get clock(): Clock {
    return this.#definition.clock;
  }

  /** Hears of errors nobody else hears of, its carriers' too. */
  get onError(): (error: unknown, where: string) => void {
    return this.#definition.onError;
  }

  /** The guard of its HTTP endpoints, for its carriers. */
  get guarding(): { readonly guard?: Guard } {
    return this.#guarding;
  }

  /**
   * Registers a tool.
   * @param handler - gets the validated input; what it may return depends on `output`.
   * @throws TypeError when the name is taken or a schema cannot be listed or enforced.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
   */
  tool<
    const Name extends string,
    const Input extends Schema | undefined = undefined,
    const Output extends Schema | undefined = undefined,
  >(
    name: Name,
    options: ToolOptions<Input, Output> & Partial<Added>,
    handler: Handler<Input, Output>,
    // No name for the whole intersection: it stays flat then, however long the chain, where named ones nest in each other
    // and the compiler gives up at a hundred.
  ): Server<
    C & OneTool<Name, Accepted<Input>, Output extends Schema ? InferOutput<Output> : unknown>,
    Added
  > {
    this.#tools.add(name, options, handler as Parameters<Tools['add']>[2]);
    return this as never;
  }

  /**
   * Registers a resource by its URI, or a family of resources by an RFC 6570 template.
   * @throws TypeError or RangeError when the URI, the template or an option is not allowed, or the URI taken.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
   */
  resource<const Uri extends string>(
    uri: Uri,
    options: ResourceOptions,
    handler: ResourceHandler<Uri>,
  ): this {
    this.#resources.add(uri, options, handler as never);
    if (options.complete !== undefined) this.#definition.features.use('completions');
    return this;
  }

  /**
   * Registers a prompt.
   * @throws TypeError when the name is taken or the schema of its arguments is not an object.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
   */
  prompt<const Name extends string, const Args extends Schema | undefined = undefined>(
    name: Name,
    options: PromptOptions<Args>,
    handler: (args: Given<Args>, ctx: Context) => PromptReturn | Promise<PromptReturn>,
  ): Server<C & OnePrompt<Name, Accepted<Args>>, Added> {
    this.#prompts.add(name, options, handler as Parameters<Prompts['add']>[2]);
    if (options.complete !== undefined) this.#definition.features.use('completions');
    return this as never;
  }

  /**
   * Handles a method outside the core protocol; clients call it with `client.request(method, params)`.
   * @param method - as `defineMethod` returned it.
   * @throws TypeError or RangeError if the method has a handler already, belongs to the core protocol, or an option is malformed.
   */
  handle<M extends Method>(method: M, handler: MethodHandler<M>, options?: MethodOptions): this {
    const served = customMethod(this.#definition, method, {
      handler: handler as unknown as MethodHandler,
      options,
    });
    this.#definition.features.add({ name: `Method "${method.name}"`, methods: { [method.name]: served } });
    return this;
  }

  /** Takes a tool out; false when there is none of that name. */
  removeTool(name: string): boolean {
    return this.#tools.remove(name);
  }

  /** Takes a resource or template out, by its URI or text; false when there is none. */
  removeResource(uri: string): boolean {
    return this.#resources.remove(uri);
  }

  /** Takes a prompt out; false when there is none of that name. */
  removePrompt(name: string): boolean {
    return this.#prompts.remove(name);
  }

  /**
   * Wraps every request in both directions; the first one added is outermost.
   * @throws TypeError for what is no function.
   */
  use(middleware: Middleware): this {
    if (typeof middleware !== 'function') {
      throw new TypeError('use() takes middleware: a function of (call, next).');
    }
    this.#definition.middleware.push(middleware);
    return this;
  }

  /**
   * Admits over HTTP, however it is served and from now on, only those whom the guard admits. Other carriers know nothing
   * of it.
   * @throws TypeError when there is a guard already.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
   */
  guard(guard: Guard): this {
    this.#guarding.guard = onlyGuard(guard, this.#guarding.guard);
    return this;
  }

  /** Tells everybody who subscribed to a resource, and may see it, that it changed. */
  resourceUpdated(uri: string): void {
    this.#resources.updated(uri);
  }

  /** Tells everybody who listens that the resources which a template's `list` gives have changed. */
  resourceListChanged(): void {
    this.#definition.audience.announce({ method: listChanged.resources });
  }

  /**
   * Tells the client whose user was sent to a page that the visit is over, in the revision that has such a message.
   * @param elicitationId - as given to `ctx.elicitUrl`, or in an `UrlElicitationRequiredError`.
   * @returns false when no session that is still there was told this id.
   */
  elicitationCompleted(elicitationId: string): boolean {
    return tellVisited(this.#endpoints, elicitationId);
  }

  /**
   * Sends a log message to every session that wants one of that severity.
   * @deprecated by the newest revision, which knows log messages only inside a request.
   */
  log(level: LogLevel, data: unknown, logger?: string): void {
    if (this.#definition.capabilities.declared.logging === undefined) return;
    const message = logger === undefined ? { level, data } : { level, data, logger };
    tellLog(this.#definition, this.#endpoints, message);
  }

  /** Compiles every schema now instead of before its first use. */
  async ready(): Promise<this> {
    await this.#tools.prepare();
    await this.#prompts.prepare();
    return this;
  }

  /**
   * Serves one connection until it ends; the endpoint is its handle.
   * @param session - what a handshake settled before, where one took place on another connection.
   */
  accept(connection: Connection, session?: SettledSession): Endpoint {
    this.#definition.features.start();
    const { notifications } = this.#definition;
    const endpoint = new Endpoint(this.#behaviour, connection, { notifications });
    this.#endpoints.add(endpoint);
    endpoint.onClosed(this.#forget);
    if (connection.intermittent !== true) this.#keepAlive?.watch(endpoint);
    if (session !== undefined) openSession(this.#definition, endpoint, session);
    return endpoint.start();
  }

  /**
   * Answers one message that belongs to no connection, such as a stateless HTTP request. The facts of its exchange have the
   * revision of a message that states none.
   */
  answer(value: unknown, exchange: Exchange): Answer {
    if (this.#stateless === undefined) {
      this.#stateless = statelessEndpoint(this.#behaviour, this.#definition.notifications);
      this.#definition.features.start();
    }
    return this.#stateless.receive(value, exchange);
  }

  /**
   * Ends every connection and every listen stream: no new requests, those in flight may finish within the drain limit.
   */
  async close(): Promise<void> {
    const { features } = this.#definition;
    features.closing();
    await Promise.all([...this.#endpoints].map((endpoint) => endpoint.close()));
    await features.stop();
  }

  // One function for all endpoints, of which many may be idle.
  readonly #forget = (reason: Error | undefined, endpoint: Endpoint): void => {
    this.#endpoints.delete(endpoint);
    // That a peer is gone is no news; that it was cut off is.
    if (reason instanceof TransportError && reason.cause === undefined) {
      this.#definition.onError(reason, 'connection');
    }
  };

  #declare(name: (typeof declarable)[number]): void {
    if (!declarable.includes(name))
      throw new TypeError(`Cannot declare ${JSON.stringify(name)}: use ${declarable.join(', ')}.`);
    this.#definition.features.use(name);
  }
}

const declarable = ['tools', 'prompts', 'resources'] as const;

/** What an extension registers entries by. Not the server itself: an extension contributes, and changes nothing else. */
function registrarOf(server: Server): EntryRegistrar {
  return {
    tool(name, options, handler) {
      server.tool(name, options, handler as never);
    },
    resource(uri, options, handler) {
      server.resource(uri, options, handler as never);
    },
    prompt(name, options, handler) {
      server.prompt(name, options, handler as never);
    },
  };
}

/**
 * Starts a server definition.
 * @throws TypeError or RangeError for options that cannot work.
 */
export function createServer<const Extensions extends readonly ServerExtension[] = readonly []>(
  info: Implementation,
  options: ServerOptions & { readonly extensions?: Extensions } = {},
): Server<EmptyContract, AddedOptions<Extensions>> {
  return new Server(info, options);
}
