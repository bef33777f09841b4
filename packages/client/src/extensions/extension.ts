import type { Clock } from '@tenon/foundation';
import type {
  CallToolParams,
  CallToolResult,
  CapabilitySettings,
  ClientCapabilities,
  CustomNotification,
  CustomNotificationParams,
  ExtensionSettings,
  HandledParams,
  HandledResult,
  InputRequest,
  InputResponse,
  Method,
  MethodParams,
  MethodResult,
  ReadResourceResult,
  RevisionTraits,
  ServerCapabilities,
  Tool,
  UnknownObject,
} from '@tenon/mcp-protocol';
import type { Middleware } from '@tenon/mcp-session';
import type { CallOptions } from '../calls/call-options.js';
import type { MethodContext } from '../features/custom-methods.js';
import type { Change, Watch, WatchFilter } from '../features/subscriptions/watcher.js';
import type { ToolResult } from '../features/tools.js';

/** The server of one session, as extensions see it. */
export interface ExtensionServer {
  readonly revision: RevisionTraits;
  readonly capabilities: ServerCapabilities;
  /**
   * Identifies the server in data that outlast the client. The address of a URL target, without user information, query and
   * fragment, which may contain credentials; for other targets `server` and the name in the server info, which is not verified.
   */
  readonly endpoint: string;
  /** `http`, `stdio` or `memory`, or the name that a transport of your own has; undefined if it has none. */
  readonly transport: string | undefined;
}

/** The server for one extension of one client. */
export interface ExtensionClient {
  /**
   * The server's settings of this extension; `{}` if `inCore` says that the server offers its subject in the core protocol;
   * undefined while the extension must not be used.
   */
  readonly settings: CapabilitySettings | undefined;
  /** Undefined before the first session, and while the connection is being replaced. */
  readonly server: ExtensionServer | undefined;
  readonly clock: Clock;
  /** Waits for a session. Rejects with `SessionError` `closed` if the client has ended, `cancelled` if the signal aborts. */
  waitForServer(signal?: AbortSignal): Promise<ExtensionServer>;
  /**
   * Calls a method of the server. Rejects as `client.request` does, and with `SessionError` `capability-missing` if the extension
   * is not in use.
   */
  request<M extends Method>(
    method: M,
    params: MethodParams<M>,
    options?: CallOptions,
  ): Promise<MethodResult<M>>;
  /**
   * Sends a notification. Rejects as `client.notify` does, and with `SessionError` `capability-missing` if the extension is not
   * in use.
   */
  notify<N extends CustomNotification>(notification: N, params: CustomNotificationParams<N>): Promise<void>;
  /** Reads a resource as `client.readResource` does. */
  readResource(uri: string, options?: CallOptions): Promise<ReadResourceResult>;
  /** Watches as `client.watch` does. */
  watch(filter: WatchFilter, listener: (change: Change) => void): Promise<Watch>;
  /**
   * Answers an input request that the server sent inside a result or notification, with the handlers of the client, its middleware
   * and its rate limits.
   * @returns the response in the shape of the revision in use.
   * @throws SessionError `invalid-answer` for a request that is malformed or needs undeclared capabilities, `limit` if the server
   * exceeds the rate; and errors of handlers.
   */
  answerInput(
    request: InputRequest,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<InputResponse>;
  /**
   * Returns the result of a tool call that the server sent in another message, checked like the answer to a call: by its shape in the
   * revision in use, and by the output schema of the tool.
   * @throws SessionError `invalid-answer` if it does not match.
   */
  readToolResult(tool: string, result: unknown): Promise<ToolResult>;
  /** Reports an error that no call rejects with to `onError` of the client. */
  onError(error: unknown): void;
}

/** The members of a listed tool that clients keep. */
export type ListedTool = Pick<Tool, 'name' | 'annotations' | 'execution'>;

/** A tool call before it is sent. */
export interface ToolCallDraft {
  readonly params: CallToolParams;
  /** Undefined if the list of tools has not been read, or does not have the tool. */
  readonly tool: ListedTool | undefined;
  readonly options: CallOptions | undefined;
  readonly client: ExtensionClient;
}

/** An input request of the server, in revisions in which servers send requests. */
export interface LiveInputRequest {
  /** Such as `elicitation/create`. */
  readonly method: string;
  /** Checked, `_meta` included. */
  readonly params: UnknownObject;
  /** Aborts when the server cancels the request or the connection ends. */
  readonly signal: AbortSignal;
  readonly client: ExtensionClient;
}

/** A tool call with a result of the extension's type. */
export interface ExtendedCall {
  readonly params: CallToolParams;
  /** Options of the call; `signal` aborts when its caller cancels it, its `total` is over or the client closes. */
  readonly options: CallOptions & { readonly signal: AbortSignal };
  readonly client: ExtensionClient;
}

/** A result type that tool calls may end with besides the core's. */
export interface ResultType {
  /** The value of `resultType`, such as `task`. No type of the core. */
  readonly type: string;
  /**
   * Recognizes results of this type that have no `resultType`, in revisions without it. Only results without `content` are shown to
   * it. Default: there are none.
   */
  matches?(result: UnknownObject): boolean;
  /**
   * True if calls with such a result may last longer than `limits.requestTotal`: only the option `total` of a call limits them.
   * Default: false.
   */
  readonly lasting?: boolean;
  /**
   * Returns the result for the caller, which is checked like any result. Its errors are the errors of the call.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#resulttype
   */
  settle(result: UnknownObject, call: ExtendedCall): CallToolResult | Promise<CallToolResult>;
  /**
   * True for a call, by its prepared params, with a result that may name work which outlasts the request: the request is not cancelled when
   * its caller cancels the call, and `abandon` receives the late result. Asked if the extension is in use. Default: false.
   */
  outlasts?(params: CallToolParams): boolean;
  /**
   * Called in place of `settle` with the result of a call that `outlasts` is true for, if its caller cancelled it before the answer. Its
   * errors go to `onError`.
   */
  abandon?(result: UnknownObject, call: ExtendedCall): unknown;
}

/** The context of a handler of an extension. */
export interface ServedContext extends MethodContext {
  readonly client: ExtensionClient;
}

/** Handles a method of an extension that the server calls. */
export type ServedHandler<M extends Method = Method> = (
  params: HandledParams<M>,
  ctx: ServedContext,
) => HandledResult<M> | Promise<HandledResult<M>>;

/** Handles a method that the server calls, in revisions where servers send requests. */
export interface ServedMethod {
  readonly method: Method;
  readonly handler: ServedHandler;
}

/** Receives a notification of the server. */
export interface HandledNotification {
  readonly notification: CustomNotification;
  readonly listener: (params: UnknownObject, client: ExtensionClient) => unknown;
}

/**
 * The contributions of an extension to a client, of a closed set of kinds. With servers that do not declare the extension
 * its methods, notifications and result types cannot be used.
 */
export interface ClientContributions<Id extends string = string, Members extends object = object> {
  /** With a prefix, such as `com.example/search`. */
  readonly id: Id;
  /** The advertised settings. Default: `{}` in every revision. */
  readonly settings?: ExtensionSettings<Id>;
  /**
   * The capabilities of the core protocol that the extension implements in a revision which leaves them to extensions: any that the core
   * of Tenon does not implement, such as `tasks` of 2025-11-25. The extension is then offered in that revision, also without settings. Default: none.
   * @param own - the capabilities that the client declares besides.
   */
  capabilities?(revision: RevisionTraits, own: ClientCapabilities): ClientCapabilities | undefined;
  /**
   * True if the server offers the subject of the extension in the core protocol: the extension is then in use without settings of
   * the server. Asked in revisions for which `capabilities` returns some. Default: false.
   */
  inCore?(server: ServerCapabilities, revision: RevisionTraits): boolean;
  /** False if the client uses the extension without declaring it. It is in use if the server declares it. Default: true. */
  readonly clientDeclares?: boolean;
  /** Methods the server may call. */
  readonly methods?: readonly ServedMethod[];
  /** Notifications the server may send. */
  readonly notifications?: readonly HandledNotification[];
  /** Members of the filter of `watch`, by name, sent as they are in revisions with `subscriptions/listen`. */
  readonly filters?: readonly string[];
  /** Result types of tool calls. */
  readonly resultTypes?: readonly ResultType[];
  /**
   * Returns the params of a tool call, which may differ from the given ones. Called before the call is sent, if the extension is in
   * use; not for calls of `client.batch` that share one frame, in 2025-03-26. Its errors are the errors of the call.
   */
  prepareToolCall?(call: ToolCallDraft): CallToolParams;
  /**
   * True if a failed result may mean that the tool did not run, because its params lack what `prepareToolCall` adds. Asked without `tool`
   * first: if true, the list of tools is read. Asked again with `tool`: if true, and the params change, the call is sent again.
   */
  mayLackParams?(call: ToolCallDraft): boolean;
  /**
   * True if a tool call may be sent again after its answer was lost with the connection, though the tool may have run. Asked with the
   * prepared params if the extension is in use, and again if the call goes to another server. Default: no call.
   */
  mayRepeat?(call: ToolCallDraft): boolean;
  /**
   * Answers an input request of the server in place of the client's handler, which `next` runs: with the signal of the request, or
   * with another one for work that goes on after the answer. Called after the request was checked, if the extension is in use.
   */
  interceptInput?(
    request: LiveInputRequest,
    next: (signal?: AbortSignal) => Promise<InputResponse>,
  ): object | Promise<object>;
  /**
   * Returns the members that the extension adds to the client, such as `{ tasks }` for `client.tasks`. Called once, before the client
   * connects. Their names must differ from those of `Client` and of other extensions.
   */
  members?(client: ExtensionClient): Members;
  /**
   * Returns middleware that wraps every call of the client in both directions, outside of the option `middleware`: also with servers that
   * do not have the extension. Called once, before the client connects.
   */
  middleware?(client: ExtensionClient): Middleware;
  /**
   * Called after each session has begun, with any server. Returns the function to call when the session has ended, with the
   * reason if it was lost. Their errors go to `onError`.
   * @param revision - the id of its revision.
   */
  onSession?(client: ExtensionClient, revision: string): ((reason: Error | undefined) => void) | undefined;
  /** Called after each session has begun with a server that has the extension too. Its errors go to `onError`. */
  start?(client: ExtensionClient): unknown;
  /** Called once when the client has closed, or could not connect. Its errors go to `onError`. */
  stop?(client: ExtensionClient): unknown;
  /** True if the program implements the extension outside of this contract; only its settings are advertised. */
  readonly external?: boolean;
}
