import {
  type Annotations,
  type BlobResourceContents,
  type CacheHints,
  type Icon,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type Meta,
  type PageParams,
  type Principal,
  type ReadResourceParams,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplate,
  RpcError,
  type TextResourceContents,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import type { IncomingRequest } from '@tenon/mcp-session';
import { Context } from '../context.js';
import { type Definition, listChanged } from '../definition.js';
import { runHandler } from '../handling.js';
import { ListResults, pageOf } from '../pages.js';
import { Registry, type Visibility } from '../registry.js';
import { parseTemplate, type UriTemplate } from '../uri-template.js';
import type { VariablesOf } from '../uri-templates/variables.js';
import type { Completer, Completers } from './completers.js';
import { noteFailure } from './elicitation-complete.js';
import { addResourceSubscriptions } from './subscriptions.js';

/** What a resource, or a family of them, says of itself. */
export interface ResourceOptions {
  /** Programmatic name. Default: the URI or template. */
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes, if known; for single resources. */
  readonly size?: number;
  readonly icons?: readonly Icon[];
  readonly annotations?: Annotations;
  readonly visible?: Visibility;
  /** How long and by whom what was read may be reused. Default: not at all. */
  readonly cache?: CacheHints;
  readonly meta?: Meta;
  /** Suggestions for the variables of a template, by name. */
  readonly complete?: Completers;
  /** The resources of a template that exist at present. */
  readonly list?: (ctx: Context) => readonly Resource[] | Promise<readonly Resource[]>;
}

/** What a reader is asked for. */
export interface ResourceInput<Uri extends string = string> {
  readonly uri: string;
  /** Values of the template's variables, decoded; empty for a single resource. */
  readonly variables: VariablesOf<Uri>;
}

/** What a reader may return: text, bytes, contents, or a full result; undefined means there is no such resource. */
export type ResourceReturn =
  | string
  | Uint8Array
  | TextResourceContents
  | BlobResourceContents
  | readonly (TextResourceContents | BlobResourceContents)[]
  | ReadResourceResult
  | undefined;

export type ResourceHandler<Uri extends string = string> = (
  input: ResourceInput<Uri>,
  ctx: Context,
) => ResourceReturn | Promise<ResourceReturn>;

interface ResourceEntry {
  readonly definition: Resource;
  readonly handler: ResourceHandler;
  readonly visible: Visibility | undefined;
  readonly options: ResourceOptions;
}

interface TemplateEntry {
  readonly definition: ResourceTemplate;
  readonly template: UriTemplate;
  readonly handler: ResourceHandler;
  readonly visible: Visibility | undefined;
  readonly options: ResourceOptions;
  readonly completers: ReadonlyMap<string, Completer> | undefined;
}

/** The resources and resource templates of one server. */
export class Resources {
  readonly #definition: Definition;
  readonly #single: Registry<ResourceEntry>;
  readonly #templates: Registry<TemplateEntry>;
  readonly #lists: ListResults<ResourceEntry, ListResourcesResult & UnknownObject>;
  readonly #templateLists: ListResults<TemplateEntry, ListResourceTemplatesResult & UnknownObject>;
  #enumerates = 0;

  constructor(definition: Definition) {
    const changed = () => definition.audience.announce({ method: listChanged.resources });
    this.#definition = definition;
    this.#single = new Registry('resource', changed);
    this.#templates = new Registry('resource template', changed);
    this.#lists = new ListResults(this.#single, (entries, cursor, shared) =>
      this.#page(
        entries.map((entry) => entry.definition),
        cursor,
        shared,
      ),
    );
    this.#templateLists = new ListResults(this.#templates, (entries, cursor, shared) =>
      this.#templatePage(entries, cursor, shared),
    );
  }

  /** Declares resources and answers their methods; called with the first resource. */
  enable(): void {
    const { requests, capabilities } = this.#definition;
    if (requests.has('resources/read')) return;
    capabilities.add({ resources: { subscribe: true, listChanged: true } });
    requests.set('resources/list', { reusesResults: true, handle: (request) => this.#list(request) });
    requests.set('resources/templates/list', {
      reusesResults: true,
      handle: (request) => this.#templateLists.get((request.params as PageParams).cursor, request.principal),
    });
    requests.set('resources/read', { handle: (request) => this.#read(request), failed: noteFailure });
    addResourceSubscriptions(this.#definition);
  }

  /** @throws TypeError when the URI or template is not allowed, or taken. */
  add(uri: string, options: ResourceOptions, handler: ResourceHandler): void {
    if (typeof handler !== 'function')
      throw new TypeError(`Resource "${uri}" needs a handler: a function of (input, ctx).`);
    if (uri.includes('{')) this.#addTemplate(uri, options, handler);
    else this.#addSingle(uri, options, handler);
  }

  remove(uri: string): boolean {
    return this.#single.remove(uri) || this.#templates.remove(uri);
  }

  /** The template, by its text, if the caller may see it. */
  findTemplate(text: string, principal: Principal | undefined): TemplateEntry | undefined {
    return this.#templates.find(text, principal);
  }

  #addSingle(uri: string, options: ResourceOptions, handler: ResourceHandler): void {
    if (!URL.canParse(uri))
      throw new TypeError(`Resource "${uri}" needs an absolute URI, such as notes://today.`);
    const { list, complete } = options;
    if (list !== undefined || complete !== undefined) {
      throw new TypeError(
        `Resource "${uri}" is not a template: "list" and "complete" have no meaning for it.`,
      );
    }
    this.enable();
    const { size } = options;
    const definition = { uri, ...describe(uri, options), ...(size !== undefined && { size }) };
    this.#single.add(uri, { definition, handler, visible: options.visible, options });
  }

  #addTemplate(text: string, options: ResourceOptions, handler: ResourceHandler): void {
    const template = parseTemplate(text);
    const completers = options.complete === undefined ? undefined : new Map(Object.entries(options.complete));
    for (const variable of completers?.keys() ?? []) {
      if (!template.variables.includes(variable)) {
        throw new TypeError(
          `Resource template "${text}" completes "${variable}", which is not one of its variables.`,
        );
      }
    }
    this.enable();
    const definition = { uriTemplate: text, ...describe(text, options) };
    this.#templates.add(text, {
      definition,
      template,
      handler,
      visible: options.visible,
      options,
      completers,
    });
    if (options.list !== undefined) this.#enumerates++;
  }

  #list(request: IncomingRequest): UnknownObject | Promise<UnknownObject> {
    const { cursor } = request.params as PageParams;
    return this.#enumerates === 0
      ? this.#lists.get(cursor, request.principal)
      : this.#enumerate(request, cursor);
  }

  async #enumerate(request: IncomingRequest, cursor: string | undefined): Promise<UnknownObject> {
    const found: Resource[] = [];
    for (const entry of this.#single.visibleTo(request.principal)) found.push(entry.definition);
    const ctx = new Context(this.#definition, request);
    for (const { options } of this.#templates.visibleTo(request.principal)) {
      if (options.list !== undefined) found.push(...(await options.list(ctx)));
    }
    return this.#page(found, cursor, false);
  }

  #page(
    items: readonly Resource[],
    cursor: string | undefined,
    shared: boolean,
  ): ListResourcesResult & UnknownObject {
    const page = pageOf(items, { size: this.#definition.limits.pageSize, cursor, key: (item) => item.uri });
    return { resources: page.items, ...this.#tail(page.nextCursor, shared) };
  }

  #templatePage(
    entries: readonly TemplateEntry[],
    cursor: string | undefined,
    shared: boolean,
  ): ListResourceTemplatesResult & UnknownObject {
    const items = entries.map((entry) => entry.definition);
    const page = pageOf(items, {
      size: this.#definition.limits.pageSize,
      cursor,
      key: (item) => item.uriTemplate,
    });
    return { resourceTemplates: page.items, ...this.#tail(page.nextCursor, shared) };
  }

  #tail(nextCursor: string | undefined, shared: boolean): UnknownObject {
    const hints: CacheHints = {
      ttlMs: this.#definition.cache.lists ?? 0,
      cacheScope: shared ? 'public' : 'private',
    };
    return nextCursor === undefined ? { ...hints } : { nextCursor, ...hints };
  }

  #read(request: IncomingRequest): UnknownObject | Promise<UnknownObject> {
    const { uri } = request.params as unknown as ReadResourceParams;
    const found = this.#match(uri, request.principal);
    if (found === undefined) throw notFound(uri, request);
    const { entry, variables } = found;
    return runHandler(this.#definition, request, (ctx) => {
      const returned = entry.handler({ uri, variables }, ctx);
      return returned instanceof Promise
        ? returned.then((value) => toResult(value, entry, request))
        : toResult(returned, entry, request);
    });
  }

  #match(
    uri: string,
    principal: Principal | undefined,
  ): { entry: ResourceEntry | TemplateEntry; variables: ResourceInput['variables'] } | undefined {
    const single = this.#single.find(uri, principal);
    if (single !== undefined) return { entry: single, variables: {} };
    for (const entry of this.#templates.visibleTo(principal)) {
      const variables = entry.template.match(uri);
      if (variables !== undefined) return { entry, variables };
    }
    return undefined;
  }
}

function describe(fallback: string, options: ResourceOptions): Omit<Resource, 'uri' | 'size'> {
  const { name = fallback, title, description, mimeType, icons, annotations, meta } = options;
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
    ...(icons !== undefined && { icons }),
    ...(annotations !== undefined && { annotations }),
    ...(meta !== undefined && { _meta: meta }),
  };
}

function notFound(uri: string, request: IncomingRequest): RpcError {
  return new RpcError(request.revision.rules.notFoundCode, 'Resource not found', { data: { uri } });
}

function toResult(
  returned: ResourceReturn,
  entry: ResourceEntry | TemplateEntry,
  request: IncomingRequest,
): ReadResourceResult & UnknownObject {
  const { uri } = request.params as unknown as ReadResourceParams;
  if (returned === undefined) throw notFound(uri, request);
  const { mimeType, cache } = entry.options;
  const head = mimeType === undefined ? { uri } : { uri, mimeType };
  if (typeof returned === 'string') return { contents: [{ ...head, text: returned }], ...cache };
  if (returned instanceof Uint8Array) return { contents: [{ ...head, blob: toBase64(returned) }], ...cache };
  if ('contents' in returned) return { ...cache, ...returned };
  return { contents: isContents(returned) ? returned : [returned], ...cache };
}

function isContents(
  value:
    | TextResourceContents
    | BlobResourceContents
    | readonly (TextResourceContents | BlobResourceContents)[],
): value is readonly (TextResourceContents | BlobResourceContents)[] {
  return Array.isArray(value);
}

const chunk = 8_192;

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += chunk) {
    binary += String.fromCharCode(...bytes.subarray(start, start + chunk));
  }
  return btoa(binary);
}
