import {
  type CallToolParams,
  type CallToolResult,
  type CapabilitySettings,
  type ExtensionSettings,
  extensionIdFlaw,
  type Method,
  type MethodParams,
  type MethodResult,
  type Notice,
  type ReceivedParams,
  type RevisionTraits,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { type OptionRule, optionRules, requireOptions } from '@tenon/mcp-session';
import type { CallOptions } from '../call-options.js';
import type { ClientMethodHandler } from '../features/custom-methods.js';

/** What an extension may do with the server it is connected to. */
export interface ExtensionClient {
  /** The server's settings of this extension; undefined while it must not be used. */
  readonly settings: CapabilitySettings | undefined;
  /** Calls a method of the server. Rejects as `client.request` does. */
  request<M extends Method>(
    method: M,
    params: MethodParams<M>,
    options?: CallOptions,
  ): Promise<MethodResult<M>>;
}

/** A tool call that ended with a result of the extension's type. */
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
   * Makes the result the caller receives. What it throws, the call rejects with.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#resulttype
   */
  settle(result: UnknownObject, call: ExtendedCall): CallToolResult | Promise<CallToolResult>;
}

/** Handles a method that the server calls, in revisions where servers send requests. */
export interface HandledMethod {
  readonly method: Method;
  readonly handler: ClientMethodHandler;
}

/** Receives a notification of the server. */
export interface HeardNotice {
  readonly notice: Notice;
  readonly listener: (params: UnknownObject, client: ExtensionClient) => unknown;
}

/** An extension at a client: a value of contributions, each of a kind that the client knows. */
export interface ClientExtension<Id extends string = string> {
  /** With a prefix, such as `com.example/search`. */
  readonly id: Id;
  /** What this client advertises. Default: `{}` in every revision. */
  readonly settings?: ExtensionSettings<Id>;
  /** Methods the server may call. */
  readonly methods?: readonly HandledMethod[];
  /** Notifications the server may send. */
  readonly notifications?: readonly HeardNotice[];
  /** Members of the filter of `watch`, by name, sent as they are in revisions with `subscriptions/listen`. */
  readonly filters?: readonly string[];
  /** Result types of tool calls. */
  readonly resultTypes?: readonly ResultType[];
  /** Called after each session has begun with a server that has the extension too. */
  start?(client: ExtensionClient): unknown;
  /** Called once when the client has closed. */
  stop?(): unknown;
  /** The program implements the extension outside of this contract; only its settings are advertised. */
  readonly external?: boolean;
}

const anything: OptionRule = { is: 'anything', allows: () => true };
const { callable, flag, text } = optionRules;
const list: OptionRule = { is: 'a list', allows: Array.isArray };
const members: { readonly [Name in keyof Required<ClientExtension>]: OptionRule } = {
  id: text,
  settings: anything,
  methods: list,
  notifications: list,
  filters: list,
  resultTypes: list,
  start: callable,
  stop: callable,
  external: flag,
};

/**
 * Defines an extension for `connect(target, { extensions: [extension] })`.
 * @throws TypeError if the id or a contribution is malformed, or the extension advertises itself and contributes nothing.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#extension-negotiation
 */
export function defineExtension<const Id extends string>(
  extension: ClientExtension<Id>,
): ClientExtension<Id> {
  requireOptions('defineExtension', extension, members);
  const { id, settings, external, ...contributions } = extension;
  const problem = extensionIdFlaw(id);
  if (problem !== undefined) throw new TypeError(`Extension "${id}" ${problem}.`);
  if (external !== true && Object.values(contributions).every((one) => one === undefined))
    throw new TypeError(
      `Extension "${id}" advertises itself and contributes nothing. Give it methods, notifications, filters, resultTypes, start or stop; ` +
        'or set external: true if the program implements it elsewhere.',
    );
  return Object.freeze(extension);
}

/** Handles a method the server calls. */
export function serve<M extends Method>(method: M, handler: ClientMethodHandler<M>): HandledMethod {
  return { method, handler: handler as unknown as ClientMethodHandler };
}

/** Receives a notification of the server. */
export function listen<N extends Notice>(
  notice: N,
  listener: (params: ReceivedParams<N>, client: ExtensionClient) => unknown,
): HeardNotice {
  return { notice, listener: listener as HeardNotice['listener'] };
}

/** True where an extension is offered in a revision. */
export function isOffered({ settings }: ClientExtension, revision: RevisionTraits): boolean {
  return typeof settings !== 'function' || settings(revision) !== undefined;
}
