import type { Clock } from '@tenon/foundation';
import type {
  ClientCapabilities,
  CompleteParams,
  CompleteResult,
  Contract,
  ContractOf,
  CustomNotification,
  CustomNotificationParams,
  Extensions,
  GetPromptResult,
  Implementation,
  LogLevel,
  Method,
  MethodParams,
  MethodResult,
  OpenContract,
  ParamsOf,
  Prompt,
  ReadResourceResult,
  ReceivedParams,
  RequestMethod,
  Resource,
  ResourceTemplate,
  Revision,
  ServerCapabilities,
  Tool,
} from '@tenon/mcp-protocol';
import { isObject, negotiated } from '@tenon/mcp-protocol/internal';
import { type BatchCalls, type BatchResults, sendBatch } from './calls/batch.js';
import type { FinalResultOf } from './calls/call.js';
import type { CallOptions } from './calls/call-options.js';
import type { Caller } from './calls/caller.js';
import type { ClientMethodHandler, CustomMethods } from './features/custom-methods.js';
import { setLogLevel } from './features/logging.js';
import type { Pages } from './features/pagination.js';
import { getPrompt, listPrompts, type PromptArguments } from './features/prompts.js';
import { listResources, listResourceTemplates, readResource } from './features/resources.js';
import type { RootSource } from './features/roots.js';
import type { Subscriptions } from './features/subscriptions/subscriptions.js';
import type { Change, Watch, WatchFilter } from './features/subscriptions/watcher.js';
import {
  type CallArguments,
  callTool,
  type KnownTools,
  listTools,
  type ToolInput,
  type ToolOutput,
  type ToolResult,
} from './features/tools.js';
import type { ClientState, StateChange } from './session/connection-supervisor.js';
import type { Session } from './session/session.js';

/** An argument of a prompt or template, and its typed beginning. */
export type CompletionQuery = Pick<CompleteParams, 'ref' | 'argument' | 'context'>;

export interface ClientParts {
  readonly caller: Caller;
  readonly tools: KnownTools;
  readonly methods: CustomMethods;
  readonly subscriptions: Subscriptions;
  /** The declared capabilities in each supported revision. */
  readonly declared: ReadonlyMap<Revision, ClientCapabilities>;
  readonly stateListeners: Set<(change: StateChange) => void>;
  /** Called when the offer of the server may have changed. */
  readonly changeListeners: Set<() => void>;
  readonly clock: Clock;
  /** Replaces the roots and notifies the server. */
  readonly setRoots: (roots: RootSource) => Promise<void>;
}

/**
 * The connection to one server, until it is closed. Created by `connect`. While the connection is being replaced, calls wait.
 *
 * Every call rejects with a `RemoteError` if the server answers with an error, a `TransportError` if the transport fails,
 * and a `SessionError` for local failures: see its `reason`.
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

  /** The state of the client. */
  get state(): ClientState {
    return this.#caller.supervisor.state;
  }

  /** Name of the revision in use, for display. */
  get revision(): string {
    return this.#session.revision.id;
  }

  /** The server info, for display; not verified. */
  get server(): Implementation | undefined {
    return this.#session.server;
  }

  /** The capabilities of the server. */
  get capabilities(): ServerCapabilities {
    return this.#session.capabilities;
  }

  /**
   * The server's settings of an extension that both ends declare in the revision in use; undefined where the extension must
   * not be used.
   */
  extension<Id extends keyof Extensions & string>(identifier: Id): Extensions[Id] | undefined {
    const { revision, capabilities } = this.#session;
    return negotiated(identifier, this.#parts.declared.get(revision)?.extensions, capabilities.extensions);
  }

  /** The instructions of the server, for a model to read. */
  get instructions(): string | undefined {
    return this.#session.instructions;
  }

  // While there is no session, the last one answers.
  get #session(): Session {
    this.#last = this.#caller.supervisor.session ?? this.#last;
    return this.#last;
  }

  /** Calls `listener` on each change of state. Returns a function that removes it. */
  onStateChange(listener: (change: StateChange) => void): () => void {
    this.#parts.stateListeners.add(listener);
    return () => this.#parts.stateListeners.delete(listener);
  }

  /** The clock of the client, for user interfaces. */
  get clock(): Clock {
    return this.#parts.clock;
  }

  /** Calls `listener` when the offer of the server may have changed. Returns a function that removes it. */
  onChanged(listener: () => void): () => void {
    this.#parts.changeListeners.add(listener);
    return () => this.#parts.changeListeners.delete(listener);
  }

  /**
   * Returns the server's tools, page by page as they are iterated. Names, descriptions and `annotations` are the server's own
   * words: unless you trust the server, do not skip the user's confirmation because of them.
   */
  tools(options?: CallOptions): Pages<Tool> {
    return listTools(this.#caller, this.#parts.tools, { bounds: this.#parts.tools.bounds, call: options });
  }

  /** Returns the server's resources. */
  resources(options?: CallOptions): Pages<Resource> {
    return listResources(this.#caller, { bounds: this.#parts.tools.bounds, call: options });
  }

  /** Returns the server's resource templates. */
  resourceTemplates(options?: CallOptions): Pages<ResourceTemplate> {
    return listResourceTemplates(this.#caller, { bounds: this.#parts.tools.bounds, call: options });
  }

  /** Returns the server's prompts. */
  prompts(options?: CallOptions): Pages<Prompt> {
    return listPrompts(this.#caller, { bounds: this.#parts.tools.bounds, call: options });
  }

  /**
   * Calls a tool. A failure the tool reports is a result with `isError`. Structured content is checked by the tool's
   * output schema once the tools were listed.
   * @throws RemoteUrlElicitationError if the user must visit a page first and the server could not request it.
   */
  callTool<N extends string>(
    name: [N] extends [keyof C['tools']] ? N : keyof C['tools'] & string,
    ...rest: CallArguments<ToolInput<C, N>>
  ): Promise<ToolResult<ToolOutput<C, N>>> {
    // By index: destructuring a list costs an iterator.
    const { 0: args, 1: options } = rest as readonly [args?: object, options?: CallOptions];
    if (typeof name !== 'string')
      return Promise.reject(misnamed("callTool('forecast', { city: 'Oslo' })", 'the name of a tool'));
    const result: Promise<ToolResult> = callTool(this.#caller, this.#parts.tools, { name, args, options });
    return result as Promise<ToolResult<ToolOutput<C, N>>>;
  }

  /** Reads a resource; `isResourceNotFound` is true for the error of an unknown one. */
  readResource(uri: string, options?: CallOptions): Promise<ReadResourceResult> {
    if (typeof uri !== 'string')
      return Promise.reject(misnamed("readResource('file:///notes.txt')", 'a URI'));
    return readResource(this.#caller, uri, options);
  }

  /** Gets a prompt. */
  getPrompt<N extends string>(
    name: [N] extends [keyof C['prompts']] ? N : keyof C['prompts'] & string,
    ...rest: CallArguments<PromptArguments<C, N>>
  ): Promise<GetPromptResult> {
    const [args, options] = rest as readonly [args?: object, options?: CallOptions];
    if (typeof name !== 'string')
      return Promise.reject(misnamed("getPrompt('greeting', { name: 'Ada' })", 'the name of a prompt'));
    return getPrompt(this.#caller, { name, args }, options);
  }

  /** Returns values for an argument of a prompt or template; see `createCompleter` of `/ui` for completion while typing. */
  async complete(query: CompletionQuery, options?: CallOptions): Promise<CompleteResult['completion']> {
    const { completion } = await this.#caller.call('completion/complete', query, options);
    return completion;
  }

  /** Sets the least severe log level. @deprecated by 2026-07-28. */
  setLogLevel(level: LogLevel): Promise<void> {
    return setLogLevel(this.#caller, level);
  }

  /** Replaces the roots of `connect`. Rejects with a TypeError if there were none. @deprecated by 2026-07-28. */
  setRoots(roots: RootSource): Promise<void> {
    return this.#parts.setRoots(roots);
  }

  /** Sends a ping. Rejects with `not-in-revision` in revisions without pings. */
  async ping(): Promise<void> {
    await this.#caller.withSession(({ endpoint }) => endpoint.request('ping', {}));
  }

  /** Listens for changes, over lost connections too. Rejects if the server announces no changes. */
  watch(filter: WatchFilter, listener: (change: Change) => void): Promise<Watch> {
    return this.#caller.withSession((session) => this.#parts.subscriptions.watch(session, filter, listener));
  }

  /**
   * Sends several requests at once: in one frame in the revision with batches, one by one elsewhere and if there is
   * middleware.
   * @returns their results; each settles on its own.
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
    if (isObject(method))
      return this.#parts.methods.call(this.#caller, method as Method, { params, options });
    const problem = this.#parts.methods.unknown(method as RequestMethod);
    if (problem !== undefined) return Promise.reject(problem);
    return this.#caller.request(method as RequestMethod, params, options);
  }

  /**
   * Handles a method outside the core protocol that the server calls: in sessions only, because servers without a session send no
   * requests.
   * @throws TypeError if the method has a handler already or belongs to the core protocol.
   */
  handle<M extends Method>(method: M, handler: ClientMethodHandler<M>): this {
    this.#parts.methods.handle(method, handler);
    return this;
  }

  /**
   * Sends a notification outside the core protocol; sends nothing if the revision does not have it.
   * @throws TypeError if the params do not have its shape.
   */
  notify<N extends CustomNotification>(notification: N, params: CustomNotificationParams<N>): Promise<void> {
    return this.#parts.methods.notify(this.#caller, notification, params);
  }

  /**
   * Calls `listener` for each notification of that name that the server sends. Its errors go to `onError`.
   * @returns a function that removes the listener.
   */
  onNotification<N extends CustomNotification>(
    notification: N,
    listener: (params: ReceivedParams<N>) => unknown,
  ): () => void {
    return this.#parts.methods.listen(notification, listener);
  }

  /** Closes the connection. Waiting calls reject with `closed`. Safe to call twice. */
  close(): Promise<void> {
    return this.#caller.supervisor.close();
  }
}

function misnamed(example: string, what: string): TypeError {
  return new TypeError(
    `client.${example.slice(0, example.indexOf('('))} takes ${what} first, as text: client.${example}.`,
  );
}

/** The client of a server, by the server's type: `ClientOf<typeof server>`. */
export type ClientOf<S> = Client<ContractOf<S>>;

// Not in the class body: a runtime without the symbol would have a method named "undefined".
if (Symbol.asyncDispose !== undefined) {
  Object.defineProperty(Client.prototype, Symbol.asyncDispose, {
    value(this: Client): Promise<void> {
      return this.close();
    },
  });
}
