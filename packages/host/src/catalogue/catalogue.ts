import type { Prompt, Resource, ResourceTemplate } from '@tenon/mcp-client';
import { isVisibleTo } from '../access/visibility.js';
import { DeferredTools } from '../deferred/deferred-tools.js';
import { type NameToolsOptions, nameTools, type ToolNames } from '../models/formats/names.js';
import type { ModelTool } from '../models/model-tool.js';
import type { ManagedServer } from '../servers/managed-server.js';

/** A tool of a host. */
export interface HostTool extends ModelTool {
  /** The SHA-256 of the definition without its name. */
  readonly digest: string;
  /** True if calls are refused until the user has signed in at the server. */
  readonly needsSignIn: boolean;
}

/** A prompt, resource or template of a host, and its server. */
export type OfServer<Item> = Item & { readonly server: string };

/** The difference between two catalogues, by the names of tools for models. */
export interface CatalogueChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** All that the servers of one user offer, in an order that does not change between runs. */
export class Catalogue {
  readonly tools: readonly HostTool[];
  /** The tools that models may see and call. */
  readonly forModels: readonly HostTool[];
  /** The same tools for models that search. */
  readonly deferred: DeferredTools;
  readonly #servers: readonly ManagedServer[];
  readonly #names: ToolNames;
  readonly #byName: ReadonlyMap<string, HostTool>;

  /** @param names - the form of names for models, and names that are taken. */
  constructor(servers: readonly ManagedServer[], names: NameToolsOptions) {
    this.#servers = servers;
    const pairs = servers.flatMap((server) =>
      [...server.lists.tools.values()].map((listed) => ({
        server: server.name,
        name: listed.tool.name,
        listed,
        managed: server,
      })),
    );
    this.#names = nameTools(
      pairs.map(({ server, name }) => ({ server, tool: name })),
      names,
    );
    this.tools = pairs.map(({ server, name, listed, managed }) => ({
      name: this.#names.nameOf(server, name) ?? name,
      server,
      ...listed,
      needsSignIn: managed.status === 'needs-sign-in',
    }));
    this.forModels = this.tools.filter(({ tool }) => isVisibleTo('model', tool));
    this.deferred = new DeferredTools(this.forModels);
    this.#byName = new Map(this.tools.map((tool) => [tool.name, tool]));
  }

  /** True if a tool is marked because its server needs a sign-in. */
  get isMarked(): boolean {
    return this.tools.some(({ needsSignIn }) => needsSignIn);
  }

  /** Returns the tool with this name for models. */
  find(name: string): HostTool | undefined {
    return this.#byName.get(name);
  }

  /** Returns the tool that a model calls by this name: never one that is for views alone. */
  findForModel(name: string): HostTool | undefined {
    const found = this.find(name);
    return found !== undefined && isVisibleTo('model', found.tool) ? found : undefined;
  }

  get prompts(): readonly OfServer<Prompt>[] {
    return this.#all(({ prompts }) => prompts);
  }

  get resources(): readonly OfServer<Resource>[] {
    return this.#all(({ resources }) => resources);
  }

  get templates(): readonly OfServer<ResourceTemplate>[] {
    return this.#all(({ templates }) => templates);
  }

  #all<Item extends object>(
    listOf: (lists: ManagedServer['lists']) => readonly Item[],
  ): readonly OfServer<Item>[] {
    return this.#servers.flatMap((server) =>
      listOf(server.lists).map((item) => ({ ...item, server: server.name })),
    );
  }

  /** Returns the tools that are new, gone or different since an earlier catalogue; undefined if there are none. */
  changeSince(earlier: Catalogue): CatalogueChange | undefined {
    const before = new Map(earlier.tools.map(({ name, digest }) => [name, digest]));
    const added = this.tools.filter(({ name }) => !before.has(name)).map(({ name }) => name);
    const removed = [...before.keys()].filter((name) => !this.#byName.has(name));
    const changed = this.tools
      .filter(({ name, digest }) => before.has(name) && before.get(name) !== digest)
      .map(({ name }) => name);
    return added.length + removed.length + changed.length === 0 ? undefined : { added, removed, changed };
  }
}
