import type { Clock } from '@tenon/foundation';
import type { CallToolResult } from '@tenon/mcp-protocol';
import type { ExtendedRevisions } from '@tenon/mcp-protocol/internal';
import type { Behaviour, Middleware } from '@tenon/mcp-session';
import type { CallPreparation, OpenResults } from '../calls/call.js';
import type { Caller } from '../calls/caller.js';
import type { CustomMethods } from '../features/custom-methods.js';
import type { Feature } from '../features/feature.js';
import type { Change, ExtensionFilters, Watch, WatchFilter } from '../features/subscriptions/watcher.js';
import type { ToolResult } from '../features/tools.js';
import type { InputInterception, InputRequests } from '../input/input-requests.js';
import type { ClientContributions } from './extension.js';

/** The dependencies of extensions. Caller, methods and input requests exist once the client connects. */
export interface ExtensionHost {
  readonly spoken: ExtendedRevisions;
  readonly caller: Caller;
  readonly methods: CustomMethods;
  readonly inputRequests: InputRequests;
  readonly clock: Clock;
  readonly onError: Behaviour['onError'];
  /** The address of the server without credentials, if it has one. */
  readonly address: string | undefined;
  /** Listed tools that are stored at most. */
  readonly knownTools: number;
  /** Checks the result of a tool by its output schema. */
  checkedResult(tool: string, result: CallToolResult): ToolResult | Promise<ToolResult>;
  watch(filter: WatchFilter, listener: (change: Change) => void): Promise<Watch>;
}

/** The extensions of one client, as its core uses them. */
export interface InstalledExtensions {
  readonly features: readonly Feature[];
  readonly results: OpenResults;
  readonly filters: ExtensionFilters;
  readonly middleware: readonly Middleware[];
  /** Undefined if no extension changes the params of tool calls. */
  readonly preparation: CallPreparation | undefined;
  /** Undefined if no extension answers input requests. */
  readonly interception: InputInterception | undefined;
  /**
   * Makes the members that the extensions add to the client.
   * @param prototype - has the members of every client.
   * @returns a function that adds them to the client.
   * @throws TypeError if a name is taken.
   */
  members(prototype: object): (client: object) => void;
}

/**
 * Installs the extensions of a client. The values of `defineExtension` lead to this function, and nothing else in the client does:
 * a bundle that defines no extension does not contain it.
 * @throws TypeError if two extensions contribute the same name.
 */
export type Install = (
  extensions: readonly ClientContributions[],
  host: ExtensionHost,
) => InstalledExtensions;

export const installation: unique symbol = Symbol('installation');

/** An extension for `connect(target, { extensions: [extension] })`, as `defineExtension` returned it. */
export interface ClientExtension<Id extends string = string, Members extends object = object>
  extends ClientContributions<Id, Members> {
  readonly [installation]: Install;
  /**
   * Returns the members that the extension added to a client, also where the type of the client does not have them, as after
   * `connect<typeof server>(...)`.
   * @throws TypeError if the client was made without this extension.
   */
  of(client: object): Members;
}

/** The members that a list of extensions adds to a client. */
export type MembersOf<E extends readonly ClientExtension[]> = (
  E[number] extends infer One
    ? One extends ClientExtension<string, infer Members>
      ? (members: Members) => void
      : never
    : never
) extends (members: infer All extends object) => void
  ? All
  : object;
