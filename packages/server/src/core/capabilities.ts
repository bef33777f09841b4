import type {
  Extensions,
  Meta,
  Revision,
  ServerCapabilities,
  Tool,
  UnknownObject,
} from '@tenon/mcp-protocol';
import type { IncomingRequest } from '@tenon/mcp-session';
import type { Rule } from '../registration/members.js';

/** The declared capabilities; features add to them when they are first used. */
export class Capabilities {
  #declared: ServerCapabilities;
  #version = 0;

  constructor(own: ServerCapabilities) {
    this.#declared = own;
  }

  get declared(): ServerCapabilities {
    return this.#declared;
  }

  /** A number that grows with every change. */
  get version(): number {
    return this.#version;
  }

  add(more: ServerCapabilities): void {
    this.#declared = { ...this.#declared, ...more };
    this.#version++;
  }
}

/** Members of a listed tool that follow from the options of every tool. */
export type OwnMember = keyof Pick<
  Tool,
  'name' | 'title' | 'description' | 'icons' | 'inputSchema' | 'outputSchema' | 'annotations' | '_meta'
>;

/** Members of a listed tool that are left to extensions: what the revisions have besides. Each is an object. */
export type ListedMembers = Omit<Tool, OwnMember>;

/** A value of each tool option that a tool was registered with, and the metadata and members that follow from them. */
export interface GivenOptions {
  readonly values: UnknownObject;
  readonly meta: Meta | undefined;
  readonly entry: ListedMembers | undefined;
}

/** The extensions of a server, as the features of the core use them. */
export interface ServerExtensions {
  /** Returns the settings that the server advertises in a revision; undefined if there are none. */
  in(revision: Revision): Extensions | undefined;
  /** Returns the capabilities of the core that extensions implement in a revision. */
  capabilitiesIn(revision: Revision): ServerCapabilities | undefined;
  /** Returns the capabilities of a client that belong to extensions. */
  declaredBy(capabilities: UnknownObject, revision: Revision): { readonly extensions?: Extensions };
  /** @throws RpcError missing capability if the client must declare an extension and did not. */
  requireDeclared(
    extension: { readonly id: string },
    request: Pick<IncomingRequest, 'from' | 'revision'>,
    what: string,
  ): void;
  /** Returns the members of the filter of a listen stream that belong to extensions, as they accept them. */
  listenFilters(request: IncomingRequest, wanted: UnknownObject): UnknownObject | Promise<UnknownObject>;
  /** Returns the rules of the options that extensions add to the tool of that name. */
  toolRules(name: string): Readonly<Record<string, Rule>>;
  toolOptions(name: string, options: object): GivenOptions;
}
