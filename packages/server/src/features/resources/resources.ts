import {
  type Base64Input,
  type PageParams,
  type Principal,
  type ReadResourceParams,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplate,
  RpcError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { isBytes, withBase64 } from '@tenon/mcp-protocol/internal';
import type { IncomingRequest } from '@tenon/mcp-session';
import { Context } from '../../context/context.js';
import { type Concern, listChanged } from '../../core/audience.js';
import { hintsProblem } from '../../core/cache-hints.js';
import { hasScopes, requireScopes } from '../../core/call-port.js';
import type { ServerFeature } from '../../core/feature.js';
import { type EntryChange, Registry } from '../../core/registry.js';
import { noteFailure } from '../../input/elicitation-complete.js';
import { type EntryParts, List } from '../../lists/list.js';
import { checkedMeta } from '../../registration/check.js';
import { resourceProblem, typeProblem } from '../../results/content-problem.js';
import { runHandler } from '../../run/live-run.js';
import { whenSettled } from '../../run/run.js';
import {
  maxUriLength,
  parseTemplate,
  reachProblem,
  type UriTemplate,
} from '../../uri-templates/uri-template.js';
import { KeptUris } from './kept-uris.js';
import {
  type Completable,
  hides,
  type Match,
  matchOf,
  type Registered,
  type ResourceEntry,
  type TemplateEntry,
} from './resource-match.js';
import {
  checkResource,
  type ResourceHandler,
  type ResourceOptions,
  type ResourceReturn,
} from './resource-options.js';
import { resourceSubscriptions } from './session-subscriptions.js';
import type { SubscriptionParts } from './subscribed-text.js';

/** The resources and resource templates of one server. */
export class Resources {
  readonly #parts: EntryParts;
  readonly #subscriptions: SubscriptionParts;
  readonly #single: Registry<ResourceEntry>;
  readonly #templates: Registry<TemplateEntry>;
  readonly #registered: Registered;
  readonly #list: List<Resource>;
  readonly #templateList: List<ResourceTemplate>;
  #enumerates = 0;

  constructor(parts: EntryParts, subscriptions: SubscriptionParts) {
    const { audience, serverGuard } = parts;
    const changed = (entry: EntryChange) => audience.entryChanged({ method: listChanged.resources }, entry);
    this.#parts = parts;
    this.#subscriptions = subscriptions;
    this.#single = new Registry('resource', serverGuard, changed);
    this.#templates = new Registry('resource template', serverGuard, changed);
    this.#registered = { single: this.#single, templates: this.#templates, kept: new KeptUris() };
    this.#list = new List(parts, {
      registry: this.#single,
      member: 'resources',
      key: (resource) => resource.uri,
    });
    this.#templateList = new List(parts, {
      registry: this.#templates,
      member: 'resourceTemplates',
      key: (template) => template.uriTemplate,
    });
  }

  /** Lists and reads resources; installed with the first resource or template. */
  get feature(): ServerFeature {
    return {
      name: 'resources',
      whenUsed: true,
      capabilities: { resources: { subscribe: true, listChanged: true } },
      methods: {
        'resources/list': { reusesResults: true, handle: (request) => this.#listed(request) },
        'resources/templates/list': {
          reusesResults: true,
          handle: (request) =>
            this.#templateList.get((request.params as PageParams).cursor, request.principal),
        },
        'resources/read': { handle: (request) => this.#read(request), failed: noteFailure },
        ...resourceSubscriptions(this.#subscriptions, this),
      },
    };
  }

  /** @throws TypeError or RangeError if the URI, the template or an option is invalid, or the URI is taken. */
  add(uri: string, options: ResourceOptions, handler: ResourceHandler): void {
    checkResource(uri, options, handler);
    if (uri.includes('{')) this.#addTemplate(uri, options, handler);
    else this.#addSingle(uri, options, handler);
  }

  remove(uri: string): boolean {
    const single = this.#single.remove(uri);
    if (single !== undefined) {
      this.#registered.kept.remove(uri, single);
      return true;
    }
    const template = this.#templates.remove(uri);
    if (template?.options.list !== undefined) this.#enumerates--;
    return template !== undefined;
  }

  /** Notifies the subscribers of a resource that can see it of a change. */
  updated(uri: string): void {
    this.#parts.audience.announce({ method: 'notifications/resources/updated', uri }, this.concernOf(uri));
  }

  /** Returns the condition on listeners that may receive updates of a resource; undefined if all may. */
  concernOf(uri: string): Concern | undefined {
    if (this.#single.guarded || this.#templates.guarded)
      return (listener) => {
        const { principal } = listener;
        return !hides(this.#registered, uri, principal) && hasScopes(listener, this.scopesOf(uri, principal));
      };
    // It may have been subscribed to before its scopes were registered.
    const scopes = this.scopesOf(uri, undefined);
    return scopes.length === 0 ? undefined : (listener) => hasScopes(listener, scopes);
  }

  /** Returns the completers of a template by its text, or of a resource (none), if it is visible to the caller. */
  find(text: string, principal: Principal | undefined): Completable | undefined {
    return this.#templates.find(text, principal) ?? this.#single.find(text, principal);
  }

  /** Returns the scopes that updates of a resource need, if it is visible to the caller. */
  scopesOf(uri: string, principal: Principal | undefined): readonly string[] {
    return matchOf(this.#registered, uri, principal)?.scopes ?? [];
  }

  #addSingle(uri: string, options: ResourceOptions, handler: ResourceHandler): void {
    this.#parts.features.use('resources');
    const { size } = options;
    const definition = { uri, ...describe(uri, options), ...(size !== undefined && { size }) };
    const entry = { definition, handler, visible: options.visible, scopes: options.scopes, options };
    this.#single.add(uri, entry);
    this.#registered.kept.add(uri, entry);
  }

  #addTemplate(text: string, options: ResourceOptions, handler: ResourceHandler): void {
    const template = parseTemplate(text);
    this.#checkReach(template);
    const completers = options.complete === undefined ? undefined : new Map(Object.entries(options.complete));
    for (const variable of completers?.keys() ?? []) {
      if (!template.variables.includes(variable)) {
        throw new TypeError(
          `Resource template "${text}" completes "${variable}", which is not one of its variables.`,
        );
      }
    }
    this.#parts.features.use('resources');
    const definition = { uriTemplate: text, ...describe(text, options) };
    this.#templates.add(text, {
      definition,
      template,
      handler,
      visible: options.visible,
      scopes: options.scopes,
      options,
      completers,
    });
    if (options.list !== undefined) this.#enumerates++;
  }

  /** @throws TypeError if no URI can reach the template. */
  #checkReach(template: UriTemplate): void {
    const { text, shape } = template;
    const problem = reachProblem(template);
    if (problem !== undefined) throw new TypeError(`Resource template "${text}" ${problem}.`);
    for (const { template: earlier, visible } of this.#templates.all()) {
      if (visible === undefined && earlier.shape === shape && earlier.text !== text)
        throw new TypeError(
          `Resource template "${text}" is never reached: "${earlier.text}" comes before it and fits the same URIs. ` +
            'Remove that first, or choose another form.',
        );
    }
  }

  #listed(request: IncomingRequest): UnknownObject | Promise<UnknownObject> {
    const { cursor } = request.params as PageParams;
    return this.#enumerates === 0
      ? this.#list.get(cursor, request.principal)
      : this.#enumerate(request, cursor);
  }

  async #enumerate(request: IncomingRequest, cursor: string | undefined): Promise<UnknownObject> {
    const found = new Map<string, Resource>();
    for (const { definition } of this.#single.visibleTo(request.principal))
      found.set(definition.uri, definition);
    const ctx = new Context(this.#parts.context, request);
    for (const { options, scopes } of this.#templates.visibleTo(request.principal)) {
      if (!hasScopes(request.exchange.facts, scopes)) continue;
      // The first entry that matches a URI serves and lists it.
      for (const resource of (await options.list?.(ctx)) ?? [])
        if (!found.has(resource.uri) && !this.#single.has(resource.uri)) found.set(resource.uri, resource);
    }
    return this.#list.page([...found.values()], cursor);
  }

  #read(request: IncomingRequest): UnknownObject | Promise<UnknownObject> {
    const { uri } = request.params as unknown as ReadResourceParams;
    const found = matchOf(this.#registered, uri, request.principal);
    if (found === undefined) throw notFound(uri, request);
    const { entry, variables, scopes } = found;
    if (scopes !== undefined) requireScopes(request, scopes);
    const { runs, context } = this.#parts;
    return runHandler(runs, { request }, (run) => {
      const ctx = new Context(context, request, run);
      return whenSettled(entry.handler({ uri, variables }, ctx), (returned) =>
        toResult(returned, found, request),
      );
    });
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
    ...checkedMeta(`Resource "${fallback}"`, meta),
  };
}

function notFound(uri: string, request: IncomingRequest): RpcError {
  const data = uri.length > maxUriLength ? undefined : { uri };
  return new RpcError(request.revision.rules.notFoundCode, 'Resource not found', { data });
}

function toResult(
  returned: ResourceReturn,
  { entry, isKept: isForSome }: Match,
  request: IncomingRequest,
): UnknownObject | Promise<UnknownObject> {
  const { uri, inputResponses, requestState } = request.params as unknown as ReadResourceParams &
    UnknownObject;
  if (returned === undefined) throw notFound(uri, request);
  const { mimeType, cache } = entry.options;
  const full = contentsOf(returned, mimeType === undefined ? { uri } : { uri, mimeType });
  const result = Object.assign({}, cache, full) as typeof full & UnknownObject;
  // A result that depends on answers of a user must not be reused for the next request of this URI.
  if (inputResponses !== undefined || requestState !== undefined)
    Object.assign(result, { ttlMs: 0, cacheScope: 'private' });
  else if (isForSome) Object.assign(result, { cacheScope: 'private' });
  return typeof returned === 'string' ? result : withBase64(result);
}

function contentsOf(
  returned: Exclude<ResourceReturn, undefined>,
  head: { readonly uri: string; readonly mimeType?: string },
): ReadResourceResult<Base64Input> {
  if (typeof returned === 'string') return { contents: [Object.assign({}, head, { text: returned })] };
  if (isBytes(returned)) {
    const { type: mimeType = '' } = returned as Partial<Blob>;
    return { contents: [Object.assign(mimeType === '' ? {} : { mimeType }, head, { blob: returned })] };
  }
  if ('contents' in returned) return readable(returned, head.uri);
  return readable({ contents: isContents(returned) ? returned : [returned] }, head.uri);
}

/** @throws TypeError if contents are invalid. */
function readable(result: ReadResourceResult<Base64Input>, uri: string): ReadResourceResult<Base64Input> {
  const wrong = typeProblem(result as typeof result & UnknownObject) ?? hintsProblem(result);
  if (wrong !== undefined) throw new TypeError(`Resource "${uri}": a result ${wrong}.`);
  for (const contents of result.contents) {
    const problem = resourceProblem(contents);
    if (problem !== undefined) throw new TypeError(`Resource "${uri}": what was read ${problem}.`);
  }
  return result;
}

type Contents = ReadResourceResult<Base64Input>['contents'];

function isContents(value: Contents[number] | Contents): value is Contents {
  return Array.isArray(value);
}
