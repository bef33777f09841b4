import type {
  CompleteResult,
  Contract,
  ContractOf,
  Extensions,
  GetPromptResult,
  Implementation,
  LogLevel,
  Method,
  MethodParams,
  MethodResult,
  Notice,
  NoticeParams,
  OpenContract,
  ParamsOf,
  Prompt,
  ReadResourceResult,
  ReceivedParams,
  RequestMethod,
  Resource,
  ResourceTemplate,
  ServerCapabilities,
  Tool,
} from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { Clock } from '@tenon/mcp-session';
import { type BatchCalls, type BatchResults, sendBatch } from './batch.js';
import type { CallOptions } from './call-options.js';
import type { Caller, FinalResultOf } from './caller.js';
import type { ClientExtensions } from './extensions/client-extensions.js';
import { type CompletionQuery, complete } from './features/completion.js';
import type { ClientMethodHandler, CustomMethods } from './features/custom-methods.js';
import { ping } from './features/lifecycle.js';
import { setLogLevel } from './features/logging.js';
import type { Pages } from './features/pagination.js';
import { getPrompt, listPrompts, type PromptArguments, type PromptName } from './features/prompts.js';
import { listResources, listResourceTemplates, readResource } from './features/resources.js';
import type { RootSource } from './features/roots.js';
import type { Subscriptions, Watch } from './features/subscriptions.js';
import {
  type CallArguments,
  callTool,
  type KnownTools,
  listTools,
  type ToolInput,
  type ToolName,
  type ToolOutput,
  type ToolResult,
} from './features/tools.js';
import type { Change, WatchFilter } from './features/watcher.js';
import type { ClientState, StateChange } from './lifeline.js';
import type { ClientLimits } from './options.js';
import type { Session } from './session.js';

/** The parts a client is made of. */
export interface ClientParts {
  readonly caller: Caller;
  readonly tools: KnownTools;
  readonly methods: CustomMethods;
  readonly subscriptions: Subscriptions;
  readonly limits: ClientLimits;
  readonly extensions: ClientExtensions;
  readonly stateListeners: Set<(change: StateChange) => void>;
  /** Called when what the server offers may have changed. */
  readonly changeListeners: Set<() => void>;
  readonly clock: Clock;
  /** Puts other roots in place and tells the server. */
  readonly setRoots: (roots: RootSource) => Promise<void>;
}

/**
 * One server, as long as it is wanted. Made by `connect`. While the connection is being replaced, calls wait.
 *
 * Every call rejects with a `RemoteError` when the server answers with an error, a `TransportError` when the carrier fails,
 * and a `SessionError` for what is local: its `reason` tells which.
 */
export class Client<C extends Contract = OpenContract> {
  readonly #parts: ClientParts;
  readonly #caller: Caller;
  #last: Session;
  /** Closes the client at the end of an `await using` block. */
  declare readonly [Symbol.asyncDispose]: () => Promise<void>;

  /** @internal */
  constructor(parts: ClientParts, session: Session) {
    this.#parts = parts;
    this.#caller = parts.caller;
    this.#last = session;
  }

  /** Where the client stands. */
  get state(): ClientState {
    return this.#caller.lifeline.state;
  }

  /** Name of the revision in use, for display. */
  get revision(): string {
    return this.#session.revision.id;
  }

  /** What the server says of itself, for display; not verified. */
  get server(): Implementation | undefined {
    return this.#session.server;
  }

  /** What the server offers. */
  get capabilities(): ServerCapabilities {
    return this.#session.capabilities;
  }

  /**
   * The server's settings of an extension that both ends declare in the revision in use; undefined where the extension must
   * not be used.
   */
  extension<Id extends keyof Extensions & string>(identifier: Id): Extensions[Id] | undefined {
    return this.#parts.extensions.settings(identifier, this.#session);
  }

  /** How the server wants to be used, for a model to read. */
  get instructions(): string | undefined {
    return this.#session.instructions;
  }

  // The last session answers while there is no other.
  get #session(): Session {
    this.#last = this.#caller.lifeline.session ?? this.#last;
    return this.#last;
  }

  /** Calls `listener` on each change of state. Returns a function that ends that. */
  onStateChange(listener: (change: StateChange) => void): () => void {
    this.#parts.stateListeners.add(listener);
    return () => this.#parts.stateListeners.delete(listener);
  }

  /** @internal */
  get clock(): Clock {
    return this.#parts.clock;
  }

  /** Calls `listener` when what the server offers may have changed. Returns a function that ends that. @internal */
  onChanged(listener: () => void): () => void {
    this.#parts.changeListeners.add(listener);
    return () => this.#parts.changeListeners.delete(listener);
  }

  /**
   * The server's tools, page by page as they are iterated. Names, descriptions and `annotations` are the server's own
   * words: unless you trust it, they are no ground to skip a question to the user.
   */
  tools(options?: CallOptions): Pages<Tool> {
    return listTools(this.#caller, this.#parts.tools, { limit: this.#parts.limits.pages, call: options });
  }

  /** The server's resources. */
  resources(options?: CallOptions): Pages<Resource> {
    return listResources(this.#caller, { limit: this.#parts.limits.pages, call: options });
  }

  /** The server's resource templates. */
  resourceTemplates(options?: CallOptions): Pages<ResourceTemplate> {
    return listResourceTemplates(this.#caller, { limit: this.#parts.limits.pages, call: options });
  }

  /** The server's prompts. */
  prompts(options?: CallOptions): Pages<Prompt> {
    return listPrompts(this.#caller, { limit: this.#parts.limits.pages, call: options });
  }

  /**
   * Calls a tool. A failure the tool reports is a result with `isError`. Structured content is checked by the tool's
   * output schema once the tools were listed.
   * @throws RemoteUrlElicitationError when the user must visit a page first and the server could not ask for it.
   */
  callTool<N extends ToolName<C>>(
    name: N,
    ...rest: CallArguments<ToolInput<C, N>>
  ): Promise<ToolResult<ToolOutput<C, N>>> {
    // By index: taking a list apart costs an iterator.
    const { 0: args, 1: options } = rest as readonly [args?: object, options?: CallOptions];
    if (typeof name !== 'string')
      return Promise.reject(misnamed("callTool('forecast', { city: 'Oslo' })", 'the name of a tool'));
    const result: Promise<ToolResult> = callTool(this.#caller, this.#parts.tools, { name, args, options });
    return result as Promise<ToolResult<ToolOutput<C, N>>>;
  }

  /** Reads a resource; `isResourceNotFound` knows the error of one that is not there. */
  readResource(uri: string, options?: CallOptions): Promise<ReadResourceResult> {
    if (typeof uri !== 'string')
      return Promise.reject(misnamed("readResource('file:///notes.txt')", 'a URI'));
    return readResource(this.#caller, uri, options);
  }

  /** Gets a prompt. */
  getPrompt<N extends PromptName<C>>(
    name: N,
    ...rest: CallArguments<PromptArguments<C, N>>
  ): Promise<GetPromptResult> {
    const [args, options] = rest as readonly [args?: object, options?: CallOptions];
    if (typeof name !== 'string')
      return Promise.reject(misnamed("getPrompt('greeting', { name: 'Ada' })", 'the name of a prompt'));
    return getPrompt(this.#caller, { name, args }, options);
  }

  /** Asks for values of a prompt's or template's argument; see `createCompleter` of `/ui` for what is being typed. */
  complete(query: CompletionQuery, options?: CallOptions): Promise<CompleteResult['completion']> {
    return complete(this.#caller, query, options);
  }

  /** Chooses the least severe log level wanted. @deprecated by 2026-07-28. */
  setLogLevel(level: LogLevel): Promise<void> {
    return setLogLevel(this.#caller, level);
  }

  /** Replaces the roots given to `connect`. Rejects with a TypeError when none were. @deprecated by 2026-07-28. */
  setRoots(roots: RootSource): Promise<void> {
    return this.#parts.setRoots(roots);
  }

  /** Asks whether the server is there. Rejects with `not-in-revision` where there are no pings. */
  async ping(): Promise<void> {
    await this.#caller.withSession(ping);
  }

  /** Listens for changes, over lost connections too. Rejects when the server offers nothing of it. */
  watch(filter: WatchFilter, listener: (change: Change) => void): Promise<Watch> {
    return this.#caller.withSession((session) => this.#parts.subscriptions.watch(session, filter, listener));
  }

  /**
   * Sends several requests at once: in one frame in the revision that has batches, one by one elsewhere and where
   * middleware wants to see each.
   * @returns their results, each settling on its own.
   */
  batch<const Calls extends BatchCalls>(calls: Calls, options?: CallOptions): BatchResults<Calls> {
    return sendBatch(this.#caller, calls, options);
  }

  /**
   * Sends any request of the core protocol, or of a method outside of it that `defineMethod` returned. Input that the server
   * requests is provided as in every call.
   * @throws TypeError if the params of a defined method do not have its shape; SessionError `invalid-answer` if its result does not.
   */
  request<M extends Method>(
    method: M,
    params: MethodParams<M>,
    options?: CallOptions,
  ): Promise<MethodResult<M>>;
  request<M extends RequestMethod>(
    method: M,
    params: ParamsOf<M>,
    options?: CallOptions,
  ): Promise<FinalResultOf<M>>;
  request(method: RequestMethod | Method, params: never, options?: CallOptions): Promise<unknown> {
    return isObject(method)
      ? this.#parts.methods.call(this.#caller, method as Method, { params, options })
      : this.#caller.request(method as RequestMethod, params, options);
  }

  /**
   * Handles a method outside the core protocol that the server calls: in sessions alone, for servers without a session send no
   * requests.
   * @throws TypeError if the method has a handler already or belongs to the core protocol.
   */
  handle<M extends Method>(method: M, handler: ClientMethodHandler<M>): this {
    this.#parts.methods.handle(method, handler);
    return this;
  }

  /**
   * Sends a notification outside the core protocol; nothing is sent where the revision in use does not have it.
   * @throws TypeError if the params do not have its shape.
   */
  notify<N extends Notice>(notice: N, params: NoticeParams<N>): Promise<void> {
    return this.#parts.methods.notify(this.#caller, notice, params);
  }

  /**
   * Calls `listener` for each notification of that name that the server sends. What it throws goes to `onError`.
   * @returns a function that stops listening.
   */
  onNotification<N extends Notice>(notice: N, listener: (params: ReceivedParams<N>) => unknown): () => void {
    return this.#parts.methods.listen(notice, listener);
  }

  /** Ends the connection. What waits for an answer rejects with `closed`. Safe to call twice. */
  close(): Promise<void> {
    return this.#caller.lifeline.close();
  }
}

function misnamed(example: string, what: string): TypeError {
  return new TypeError(
    `client.${example.slice(0, example.indexOf('('))} takes ${what} first, as text: client.${example}.`,
  );
}

/** The client of a server, by the server's type: `ClientOf<typeof server>`. */
export type ClientOf<S> = Client<ContractOf<S>>;

// Not in the class body: a runtime without the symbol would get a method named "undefined".
if (Symbol.asyncDispose !== undefined) {
  Object.defineProperty(Client.prototype, Symbol.asyncDispose, {
    value(this: Client): Promise<void> {
      return this.close();
    },
  });
}
