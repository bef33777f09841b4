import type { Clock } from '@tenon/foundation';
import type {
  CallHistory,
  CallToolResult,
  CapabilitySettings,
  ClientCapabilities,
  CustomNotification,
  CustomNotificationParams,
  EventPort,
  InputRequest,
  Method,
  MethodParams,
  MethodResult,
  Principal,
  RevisionTraits,
  Tool,
  UnknownObject,
} from '@tenon/mcp-protocol';
import type { CarriedTexts, Middleware } from '@tenon/mcp-session';
import type { Processes, State } from '@tenon/mcp-state';
import type { Context } from '../context/context.js';
import type { ServerEventListener } from '../core/server-events.js';
import type { MethodHandler, MethodOptions } from '../features/custom-methods.js';
import type { PromptHandler, PromptOptions } from '../features/prompt-options.js';
import type { ResourceHandler, ResourceOptions } from '../features/resources/resource-options.js';
import type { ToolHandler, ToolOptions } from '../features/tool-options.js';
import type { DetachedPorts } from '../run/detached-run.js';
import type { StepJournal } from '../run/once-steps.js';
import type { Schema } from '../schemas/schema.js';
import type { OfferedExtension } from './offered.js';
import type { PublishFilter } from './publish.js';
import type { SavedCall } from './saved-call.js';

/** A method that an extension serves. */
export interface ServedMethod {
  readonly method: Method;
  readonly handler: MethodHandler;
  readonly options: MethodOptions | undefined;
}

/** A notification that an extension receives. */
export interface HandledNotification {
  readonly notification: CustomNotification;
  readonly handler: (params: UnknownObject) => unknown;
}

/**
 * A result of a tool call: of the core, or of a type that the extension declared. In revisions without result types a result without
 * `content` has the members that the revision gives it.
 */
export type ExtendedResult =
  | CallToolResult
  | (UnknownObject & ({ readonly resultType: string } | { readonly content?: undefined }));

/** A tool call before the handler runs: its tool is found, and its arguments are valid. `Options` are those of the extension. */
export interface InterceptedCall<Options extends object = object> {
  readonly name: string;
  /** The arguments, as the tool's handler will receive them. */
  readonly input: unknown;
  readonly ctx: Context;
  /** The client's settings of the extension; undefined if the client did not declare it, and must receive core results only. */
  readonly settings: CapabilitySettings | undefined;
  readonly revision: RevisionTraits;
  /** The neutral params of the request, with its `_meta`. */
  readonly params: UnknownObject;
  /**
   * The id of the session, the same in all processes that serve it, for `publish`; undefined without a session. It may be a secret
   * of the client: do not send it to others.
   */
  readonly session: string | undefined;
  /** The address of the client, if the transport knows it. */
  readonly remoteAddress: string | undefined;
  /**
   * The answers to input requests and the values of `once` steps of earlier rounds of this call; undefined in its first round. In
   * 2026-07-28 answers are neutral `result` members; in sessions they are as the client sent them.
   */
  readonly history: CallHistory | undefined;
  /**
   * Returns the call as JSON, for `host.run`: as the client sent it, before middleware changed its params.
   * @throws TypeError if the claims of the principal are not JSON.
   */
  saved(): SavedCall;
  /** The value of an option of the extension that the tool was registered with, as `check` accepted it. */
  option<Name extends keyof Options & string>(name: Name): Options[Name] | undefined;
  /** @throws MissingCapabilityError (-32021) if the client did not declare the extension. */
  requireClient(): void;
  /**
   * Runs the tool's handler detached from this request, which may be answered meanwhile. The limits of handler time and of running
   * requests do not apply: the extension limits the number and the duration of such runs.
   * @returns the handler's result; its failures are results with `isError`.
   * @throws RpcError if the handler throws one, or needs a capability that the client lacks: the error that the request would have
   * been answered with. Once the signal has aborted, the error of the handler, whatever it is.
   */
  detach(ports: DetachedPorts): Promise<CallToolResult>;
}

/** A tool call that its caller may make, with valid arguments, before the handler runs: in 2026-07-28 one round of it. */
export interface InterceptedRun {
  /** The tool as it is listed. */
  readonly tool: Tool;
  /** The neutral params of the request, with its `_meta`, and in a later round with `inputResponses` and `requestState`. */
  readonly params: UnknownObject;
  readonly revision: RevisionTraits;
  /** The caller, for `host.stateOf` and `host.callerOf`. */
  readonly caller: Pick<SavedCall, 'principal' | 'remoteAddress' | 'anonymous'>;
  /** Aborts when the result is no longer needed, and when the handler has run for too long. */
  readonly signal: AbortSignal;
  /** True if nothing receives a result any more. */
  readonly isCancelled: boolean;
  /** Milliseconds for which the handler may run. */
  readonly handlerTime: number;
}

/** A tool call with a handler that runs detached from its request. */
export interface DetachedCall {
  /** The neutral params of the call, with its `_meta`. */
  readonly params: UnknownObject;
  readonly revision: RevisionTraits;
  /** The texts of `Call.carried`, also in another process. */
  readonly carried: Readonly<CarriedTexts>;
}

/** Options of one request to a client. All times are in milliseconds. */
export interface ClientCallOptions {
  /** Cancels the request, and notifies the client. Default: nothing cancels it before its time is over. */
  readonly signal?: AbortSignal;
  /** The silence that is allowed. Default: the server's limit `requestTimeout`. */
  readonly timeout?: number;
  /** The time that is allowed in total. Default: the server's limit `requestTotal`. */
  readonly total?: number;
}

/** An input request of a handler before it is sent, in revisions in which servers send requests. */
export interface InterceptedInput {
  readonly method: InputRequest['method'];
  /** Neutral params. */
  readonly params: UnknownObject;
  /** The client's settings of the extension; undefined if the client did not declare it. */
  readonly settings: CapabilitySettings | undefined;
  readonly clientCapabilities: ClientCapabilities;
  readonly revision: RevisionTraits;
  /** Aborts when the handler no longer needs the answer, and when the server's limit `requestTotal` is over. */
  readonly signal: AbortSignal;
  /**
   * Calls a method of the client: on the stream of the handler's request, and on that of the session once that request is answered
   * or cancelled, for example to cancel work of the client.
   * @throws as `Context.request` does, and SessionError `timeout`.
   */
  request<M extends Method>(
    method: M,
    params: MethodParams<M>,
    options?: ClientCallOptions,
  ): Promise<MethodResult<M>>;
}

/** The functions that an extension may use while the server runs. */
export interface ExtensionHost {
  readonly clock: Clock;
  /** Receives errors that must not be sent to callers. */
  readonly onError: (error: unknown, where: string) => void;
  /** Receives events of the extension, for the log of the server. */
  readonly events: EventPort;
  /** Calls a function with each event of the server, as `server.onEvent` does. Returns a function that removes it. */
  onEvent(listener: ServerEventListener): () => void;
  /** The option `state` of the server. Undefined without it: `memoryState()` of `@tenon/mcp-state` keeps the state of one process. */
  readonly state: State | undefined;
  /**
   * This process among those that share the state; undefined for a server on its own. Begin the kinds of messages with the id of the
   * extension.
   */
  readonly processes: Pick<Processes, 'id' | 'waitUntilJoined' | 'handle' | 'request'> | undefined;
  /**
   * Returns the name of a caller in keys of the state: a digest of 43 characters, the same in all processes. Undefined for a caller
   * that is not authenticated.
   */
  callerOf(caller: { readonly principal?: Principal | undefined }): Promise<string | undefined>;
  /**
   * Returns values and logs that count towards the bytes of a caller, `limits.stateBytesPerCaller`: write all that is kept for a caller
   * by them. A write that does not fit rejects with a StateError of reason `quota`.
   * @param caller - such as a saved call.
   * @param state - default: the option `state` of the server.
   * Rejects with a TypeError if there is no state.
   */
  stateOf(
    caller: Pick<SavedCall, 'principal' | 'remoteAddress' | 'anonymous'>,
    state?: State,
  ): Promise<Pick<State, 'kv' | 'log'>>;
  /**
   * Runs the handler of a saved call detached, in any process of the server: finds the tool, checks the scopes and the arguments
   * again, and runs the middleware first. Extensions do not intercept it, and it does not count for rates.
   * @returns the handler's result; its failures, and arguments that do not match, are results with `isError`.
   * @throws TypeError if the saved call is malformed; RpcError if the tool is unknown, or where the call would have been answered with
   * an error. Once the signal has aborted, any error.
   */
  run(saved: SavedCall, ports: DetachedPorts): Promise<CallToolResult>;
  /**
   * Sends a notification to each client that has the extension: in sessions, and on listen streams with the member in their filter.
   * @param where - which listen streams and sessions receive the notification. Default: all sessions, and no listen stream.
   * @throws TypeError if the params do not match the notification's shape.
   */
  publish<N extends CustomNotification>(
    notification: N,
    params: CustomNotificationParams<N>,
    where?: PublishFilter,
  ): Promise<void>;
}

/**
 * Registers tools, resources and prompts of an extension, as the methods of `Server` do. It can be kept, and used while the server runs.
 * `Options` are the options that the extension adds to `server.tool`.
 */
export interface EntryRegistrar<Options extends object = object> {
  tool<
    const Input extends Schema | undefined = undefined,
    const Output extends Schema | undefined = undefined,
  >(
    name: string,
    options: ToolOptions<Input, Output> & Partial<Options>,
    handler: ToolHandler<Input, Output>,
  ): void;
  resource<const Uri extends string>(
    uri: Uri,
    options: ResourceOptions<Uri>,
    handler: ResourceHandler<Uri>,
  ): void;
  prompt<const Args extends Schema | undefined = undefined>(
    name: string,
    options: PromptOptions<Args>,
    handler: PromptHandler<Args>,
  ): void;
  /**
   * Removes an entry that this extension registered, and notifies clients of the change.
   * @param name - the name of a tool or prompt, the URI of a resource, or the text of a template.
   * @returns false if this extension has no such entry.
   */
  remove(type: 'tool' | 'resource' | 'prompt', name: string): boolean;
  /** Notifies the subscribers of a resource that it has changed. */
  resourceUpdated(uri: string): void;
}

/**
 * The contributions of an extension to a server, each of a type that the server knows. None receives the server. `Options`
 * are the options that it adds to `server.tool`, by name.
 */
export interface ServerContributions<Id extends string = string, Options extends object = object>
  extends OfferedExtension<Id, Options> {
  readonly methods?: readonly ServedMethod[];
  readonly notifications?: readonly HandledNotification[];
  /**
   * Runs in place of a tool's handler, in revisions where the extension is offered.
   * @param next - runs the handler, or the next extension that intercepts; failures of the handler are results with `isError`.
   */
  interceptToolCall?(
    call: InterceptedCall<Options>,
    next: () => Promise<ExtendedResult>,
  ): ExtendedResult | Promise<ExtendedResult>;
  /**
   * Runs around a run of a tool's handler and all that intercepts its call, in revisions where the extension is offered: may answer
   * without a run, with the result of another attempt for example.
   * @param run - runs the handler, or the next extension that intercepts runs. Returns its result, in 2026-07-28 also of the type
   * `input_required`; throws an RpcError where the request is answered with an error. `steps` has the values of `once` steps that ended in
   * other attempts, and keeps those of this one.
   */
  interceptRun?(
    call: InterceptedRun,
    run: (steps?: StepJournal) => UnknownObject | Promise<UnknownObject>,
  ): UnknownObject | Promise<UnknownObject>;
  /**
   * Answers an input request of a handler in place of the client, in revisions in which servers send requests and the extension is
   * offered. Called after the capabilities of the client were checked. The handler receives the answer if it has the shape of an
   * answer to the request; otherwise the input request rejects with SessionError `invalid-answer`.
   * @param next - sends the request, or calls the next extension that intercepts: with other params, and with another signal for a
   * request that must not be cancelled with the handler. Resolves with the client's neutral answer, which may be of another shape if the params
   * requested one.
   */
  interceptInput?(
    request: InterceptedInput,
    next: (params?: UnknownObject, signal?: AbortSignal) => Promise<UnknownObject>,
  ): object | Promise<object>;
  /**
   * Runs around a handler that is detached from its request, by `call.detach` or `host.run`, in every revision.
   * @param run - runs the handler, or the next extension that intercepts.
   */
  interceptDetached?(call: DetachedCall, run: () => Promise<CallToolResult>): Promise<CallToolResult>;
  /**
   * Wraps every request in both directions, outside of the middleware of `server.use`, in every revision: also where the extension is not
   * offered.
   */
  readonly middleware?: Middleware;
  /** Registers tools, resources and prompts; called once, by `createServer`, which throws if it throws or returns a promise. */
  register?(entries: EntryRegistrar<Options>): void;
  /** Called once, with the first connection or request. */
  start?(host: ExtensionHost): unknown;
  /**
   * Called once, when the server closes or an HTTP handler of it drains, before connections end: this process leaves its work to
   * others. The server waits for a promise, up to its limit `drain`; so does an HTTP handler, up to its own. Not called before `start`.
   */
  drain?(): void | Promise<void>;
  /** Called once, when the server has closed. The server waits for a promise, up to its limit `drain`. */
  stop?(): unknown;
  /** The program implements the extension outside of this contract; only its settings are advertised. */
  readonly external?: boolean;
}
