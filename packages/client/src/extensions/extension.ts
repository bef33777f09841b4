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
  type NoticeParams,
  type ReceivedParams,
  type RevisionTraits,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { isObject, settingsIn } from '@tenon/mcp-protocol/internal';
import { type OptionRule, optionRules, requireOptions } from '@tenon/mcp-session/internal';
import type { CallOptions } from '../call-options.js';
import type { ClientMethodHandler } from '../features/custom-methods.js';

/** What an extension may do with the server its client is connected to. One object for each client and extension. */
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
   * Makes the result the caller receives, which is checked like the result of any call. What it throws, the call rejects with.
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
 * An extension at a client: a value of contributions, each of a kind that the client knows. Servers that do not declare the
 * extension cannot use its methods, notifications and result types.
 */
export interface ClientExtension<Id extends string = string> {
  /** With a prefix, such as `com.example/search`. */
  readonly id: Id;
  /** What this client advertises. Default: `{}` in every revision. */
  readonly settings?: ExtensionSettings<Id>;
  /** Methods the server may call. */
  readonly methods?: readonly ServedMethod[];
  /** Notifications the server may send. */
  readonly notifications?: readonly ReceivedNotice[];
  /** Members of the filter of `watch`, by name, sent as they are in revisions with `subscriptions/listen`. */
  readonly filters?: readonly string[];
  /** Result types of tool calls. */
  readonly resultTypes?: readonly ResultType[];
  /** Called after each session has begun with a server that has the extension too. What it throws goes to `onError`. */
  start?(client: ExtensionClient): unknown;
  /** Called once when the client has closed, or could not connect. What it throws goes to `onError`. */
  stop?(client: ExtensionClient): unknown;
  /** The program implements the extension outside of this contract; only its settings are advertised. */
  readonly external?: boolean;
}

/** Names that the core protocol has taken. */
const coreFilters = [
  'toolsListChanged',
  'promptsListChanged',
  'resourcesListChanged',
  'resourceSubscriptions',
];
const coreResultTypes = ['complete', 'input_required'];

const { callable, flag, text } = optionRules;
const members: { readonly [Name in keyof Required<ClientExtension>]: OptionRule } = {
  id: text,
  settings: {
    is: 'an object, or a function that returns one for a revision',
    allows: (value) => isObject(value) || callable.allows(value),
  },
  methods: listOf(
    'what serve(method, handler) returns',
    (one) => isOf(one.method, 'method') && callable.allows(one.handler),
  ),
  notifications: listOf(
    'what listen(notice, listener) returns',
    (one) => isOf(one.notice, 'notification') && callable.allows(one.listener),
  ),
  filters: {
    is: `a list of names other than ${coreFilters.join(', ')}`,
    allows: (value) =>
      Array.isArray(value) && value.every((one) => text.allows(one) && !coreFilters.includes(one)),
  },
  resultTypes: listOf(
    `{ type, settle } with a type other than ${coreResultTypes.join(', ')}`,
    ({ type, settle }) =>
      text.allows(type) && !coreResultTypes.includes(type as string) && callable.allows(settle),
  ),
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
  requireExtension(extension);
  return Object.freeze(extension);
}

/** @throws TypeError as {@link defineExtension} does. */
export function requireExtension(extension: ClientExtension): void {
  if (isObject(extension)) requireId(extension.id);
  requireOptions(`Extension ${JSON.stringify(extension?.id)}`, extension, members);
  const { id, settings, external, ...contributions } = extension;
  if (external === true || Object.values(contributions).some((one) => one !== undefined)) return;
  throw new TypeError(
    `Extension "${id}" advertises itself and contributes nothing. Give it methods, notifications, filters, resultTypes, start or stop; ` +
      'or set external: true if the program implements it elsewhere.',
  );
}

/** Handles a method the server calls. */
export function serve<M extends Method>(method: M, handler: ClientMethodHandler<M>): ServedMethod {
  return { method, handler: handler as unknown as ClientMethodHandler };
}

/** Receives a notification of the server. What the listener throws goes to `onError`. */
export function listen<N extends Notice>(
  notice: N,
  listener: (params: ReceivedParams<N>, client: ExtensionClient) => unknown,
): ReceivedNotice {
  return { notice, listener: listener as ReceivedNotice['listener'] };
}

/** What an extension advertises in a revision; undefined where it is not offered. @throws TypeError if that is no object. */
export function offeredIn(
  { id, settings }: ClientExtension,
  revision: RevisionTraits,
): CapabilitySettings | undefined {
  const offered: unknown = settingsIn(settings, revision);
  if (offered === undefined || isObject(offered)) return offered;
  throw new TypeError(
    `Extension "${id}": settings must return an object, or undefined where it is not offered.`,
  );
}

function requireId(id: unknown): void {
  const problem = typeof id === 'string' ? extensionIdFlaw(id) : 'is not a text';
  if (problem !== undefined)
    throw new TypeError(`The extension identifier ${JSON.stringify(id)} ${problem}.`);
}

function isOf(value: unknown, kind: 'method' | 'notification'): boolean {
  return isObject(value) && value.kind === kind;
}

function listOf(what: string, allows: (one: UnknownObject) => boolean): OptionRule {
  return {
    is: `a list, each of ${what}`,
    allows: (value) => Array.isArray(value) && value.every((one) => isObject(one) && allows(one)),
  };
}
