import {
  type CallToolResult,
  type CapabilitySettings,
  type Clock,
  extensionIdFlaw,
  type Method,
  type Notice,
  type NoticeParams,
  type ReceivedParams,
  type RevisionTraits,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { type OptionRule, optionRules, requireOptions } from '@tenon/mcp-session/internal';
import type { PublishFilter } from '../audience.js';
import type { Context } from '../context.js';
import type { DetachedPorts } from '../detached-call.js';
import type { MethodHandler, MethodOptions } from '../features/custom-methods.js';
import type { OfferedExtension } from './offered.js';

/** A method that an extension serves. */
export interface ServedMethod {
  readonly method: Method;
  readonly handler: MethodHandler;
  readonly options: MethodOptions | undefined;
}

/** A notification that an extension receives. */
export interface ReceivedNotice {
  readonly notice: Notice;
  readonly handler: (params: UnknownObject) => unknown;
}

/** A result of a tool call: the core's, or one of a type that the extension declared. */
export type ExtendedResult = CallToolResult | (UnknownObject & { readonly resultType: string });

/** A tool call on its way to the handler: its tool is found, and its arguments are valid. */
export interface InterceptedCall {
  readonly name: string;
  /** The arguments, as the tool's handler will read them. */
  readonly input: unknown;
  readonly ctx: Context;
  /** The client's settings of the extension; undefined if the client did not declare it, and must receive core results only. */
  readonly settings: CapabilitySettings | undefined;
  readonly revision: RevisionTraits;
  /** The value of an option of the extension that the tool was registered with. */
  option(name: string): unknown;
  /** @throws MissingCapabilityError (-32021) if the client did not declare the extension. */
  requireClient(): void;
  /**
   * Runs the tool's handler detached from this request, which may be answered meanwhile. The limits of handler time and of work
   * in flight do not hold for it: the extension bounds the number and the duration of such runs.
   * @returns the handler's result, failures included.
   */
  detach(ports: DetachedPorts): Promise<CallToolResult>;
}

/** What an extension may use while the server runs. */
export interface ExtensionHost {
  readonly clock: Clock;
  /** Receives errors that no caller may read. */
  readonly onError: (error: unknown, where: string) => void;
  /**
   * Sends a notification to each client that has the extension: in sessions, and on listen streams whose filter has the member.
   * @param where - the member of the filter, and which of its accepted values the notification matches. Default: all.
   * @throws TypeError if the params do not have the notification's shape.
   */
  publish<N extends Notice>(notice: N, params: NoticeParams<N>, where?: PublishFilter): Promise<void>;
}

/** Registers tools, resources and prompts of an extension. */
export interface EntryRegistrar {
  tool(name: string, options: UnknownObject, handler: (input: never, ctx: Context) => unknown): void;
  resource(uri: string, options: UnknownObject, handler: (input: never, ctx: Context) => unknown): void;
  prompt(name: string, options: UnknownObject, handler: (args: never, ctx: Context) => unknown): void;
}

/**
 * An extension at a server: a value of contributions, each of a kind that the server knows. Nothing in it receives the server.
 * `Options` are the options that it adds to `server.tool`, by name.
 */
export interface ServerExtension<Id extends string = string, Options extends object = object>
  extends OfferedExtension<Id, Options> {
  readonly methods?: readonly ServedMethod[];
  readonly notifications?: readonly ReceivedNotice[];
  /**
   * Runs in place of a tool's handler, in revisions where the extension is offered.
   * @param next - runs the handler, or the next extension that intercepts; failures of the handler are results with `isError`.
   */
  interceptToolCall?(
    call: InterceptedCall,
    next: () => Promise<ExtendedResult>,
  ): ExtendedResult | Promise<ExtendedResult>;
  /** Registers tools, resources and prompts; called once, by `createServer`. */
  register?(entries: EntryRegistrar): void;
  /** Called once, with the first connection or request. */
  start?(host: ExtensionHost): unknown;
  /** Called once, when the server has closed. */
  stop?(): unknown;
  /** The program implements the extension outside of this contract; only its settings are advertised. */
  readonly external?: boolean;
}

const anything: OptionRule = { is: 'anything', allows: () => true };
const { callable, flag, object, text } = optionRules;
const list: OptionRule = { is: 'a list', allows: Array.isArray };
const members: { readonly [Name in keyof Required<ServerExtension>]: OptionRule } = {
  id: text,
  settings: anything,
  clientDeclares: flag,
  methods: list,
  notifications: list,
  filters: object,
  toolOptions: object,
  resultTypes: list,
  interceptToolCall: callable,
  register: callable,
  start: callable,
  stop: callable,
  external: flag,
};

/**
 * Defines an extension for `createServer(info, { extensions: [extension] })`.
 * @throws TypeError if the id or a contribution is malformed, or the extension advertises itself and contributes nothing.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#extension-negotiation
 */
export function defineExtension<const Id extends string, Options extends object = object>(
  extension: ServerExtension<Id, Options>,
): ServerExtension<Id, Options> {
  requireOptions<ServerExtension>('defineExtension', extension as ServerExtension, members);
  const { id, settings, external, clientDeclares, ...contributions } = extension;
  const problem = extensionIdFlaw(id);
  if (problem !== undefined) throw new TypeError(`Extension "${id}" ${problem}.`);
  if (external !== true && Object.values(contributions).every((one) => one === undefined))
    throw new TypeError(
      `Extension "${id}" advertises itself and contributes nothing. Give it methods, notifications, filters, toolOptions, ` +
        'interceptToolCall, register, start or stop; or set external: true if the program implements it elsewhere.',
    );
  if ((extension.resultTypes?.length ?? 0) > 0 && extension.interceptToolCall === undefined)
    throw new TypeError(`Extension "${id}" has resultTypes, which only interceptToolCall can return.`);
  return Object.freeze(extension);
}

/** Serves a method with an extension. */
export function serve<M extends Method>(
  method: M,
  handler: MethodHandler<M>,
  options?: MethodOptions,
): ServedMethod {
  return { method, handler: handler as unknown as MethodHandler, options };
}

/** Receives a notification with an extension. */
export function listen<N extends Notice>(
  notice: N,
  handler: (params: ReceivedParams<N>) => unknown,
): ReceivedNotice {
  return { notice, handler: handler as ReceivedNotice['handler'] };
}

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** The options that a list of extensions adds to `server.tool`. */
export type AddedOptions<List extends readonly ServerExtension[]> = List extends readonly []
  ? object
  : Intersection<OptionsOf<List[number]>> & object;

type OptionsOf<E> = E extends ServerExtension<string, infer Options> ? Options : never;
