import type {
  CallToolParams,
  CallToolResult,
  CapabilitySettings,
  ExtensionSettings,
  Method,
  MethodParams,
  MethodResult,
  Notice,
  NoticeParams,
  UnknownObject,
} from '@tenon/mcp-protocol';
import type { CallOptions } from '../calls/call-options.js';
import type { ClientMethodHandler } from '../features/custom-methods.js';

/** The server for one extension of one client. */
export interface ExtensionClient {
  /** The server's settings of this extension; undefined while it must not be used. */
  readonly settings: CapabilitySettings | undefined;
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
  notify<N extends Notice>(notice: N, params: NoticeParams<N>): Promise<void>;
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
   * Returns the result for the caller, which is checked like any result. Its errors are the errors of the call.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#resulttype
   */
  settle(result: UnknownObject, call: ExtendedCall): CallToolResult | Promise<CallToolResult>;
}

/** Handles a method that the server calls, in revisions where servers send requests. */
export interface ServedMethod {
  readonly method: Method;
  readonly handler: ClientMethodHandler;
}

/** Receives a notification of the server. */
export interface ReceivedNotice {
  readonly notice: Notice;
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
  /** Methods the server may call. */
  readonly methods?: readonly ServedMethod[];
  /**
   * Methods of the server that belong to the extension. `client.request` rejects with `SessionError` `capability-missing` where the
   * extension is not in use, and sends nothing.
   */
  readonly calls?: readonly Method[];
  /** Notifications the server may send. */
  readonly notifications?: readonly ReceivedNotice[];
  /** Members of the filter of `watch`, by name, sent as they are in revisions with `subscriptions/listen`. */
  readonly filters?: readonly string[];
  /** Result types of tool calls. */
  readonly resultTypes?: readonly ResultType[];
  /**
   * Returns the members that the extension adds to the client, such as `{ tasks }` for `client.tasks`. Called once, before the client
   * connects. Their names must differ from those of `Client` and of other extensions.
   */
  members?(client: ExtensionClient): Members;
  /** Called after each session has begun with a server that has the extension too. Its errors go to `onError`. */
  start?(client: ExtensionClient): unknown;
  /** Called once when the client has closed, or could not connect. Its errors go to `onError`. */
  stop?(client: ExtensionClient): unknown;
  /** True if the program implements the extension outside of this contract; only its settings are advertised. */
  readonly external?: boolean;
}
