import type {
  Annotations,
  Base64Input,
  BlobResourceContents,
  Bytes,
  CacheHints,
  Icon,
  Meta,
  ReadResourceResult,
  Resource,
  TextResourceContents,
} from '@tenon/mcp-protocol';
import { isUrl } from '@tenon/mcp-protocol/internal';
import type { Completers, Context } from '../../context/context.js';
import { hintsProblem } from '../../core/cache-hints.js';
import type { Visibility } from '../../core/registry.js';
import { checkRegistration, handlerInstead } from '../../registration/check.js';
import type { Members } from '../../registration/members.js';
import {
  byteCount,
  cacheHints,
  callable,
  completers,
  decides,
  icons,
  mediaType,
  metadata,
  named,
  type RulesFor,
  resourceAnnotations,
  scopes,
  text,
} from '../../registration/rules.js';
import { unfitForUri } from '../../uri-templates/parse.js';
import type { VariablesOf } from '../../uri-templates/variables.js';

/** Options of a resource or a resource template. */
export interface ResourceOptions<Uri extends string = string, State extends object = object> {
  /** The name in programs. Default: the URI or template. */
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes, if known; for single resources. */
  readonly size?: number;
  readonly icons?: readonly Icon[];
  readonly annotations?: Annotations;
  /**
   * Decides which callers see it: in lists, reads, completion and updates. For a template it receives URIs in any
   * percent-encoding: its handler must decide by the values of the variables.
   */
  readonly visible?: Visibility;
  /**
   * Scopes that are needed to read it, to complete its variables and to subscribe to it, all of them; see the scopes of tools. The
   * resources of a template's `list` are listed only for callers with these scopes.
   */
  readonly scopes?: readonly string[];
  /**
   * Cache hints: how long, and by which callers, the result of a read may be reused. Default: not at all. A resource with `visible` or
   * scopes is never public.
   */
  readonly cache?: CacheHints;
  readonly meta?: Meta;
  /** Suggestions for the variables of a template, by name. */
  readonly complete?: Completers<keyof VariablesOf<Uri> & string, State>;
  /** Returns the existing resources of a template; they are listed in this order, after single resources. */
  readonly list?: (ctx: Context<State>) => readonly Resource[] | Promise<readonly Resource[]>;
}

/** The request to a reader. */
export interface ResourceInput<Uri extends string = string> {
  readonly uri: string;
  /** Values of the template's variables, decoded; empty for a single resource. */
  readonly variables: VariablesOf<Uri>;
}

/** The return value of a reader: text, bytes, contents, or a full result; undefined if there is no such resource. */
export type ResourceReturn =
  | string
  | Bytes
  | TextResourceContents
  | BlobResourceContents<Base64Input>
  | readonly (TextResourceContents | BlobResourceContents<Base64Input>)[]
  | ReadResourceResult<Base64Input>
  | undefined;

export type ResourceHandler<Uri extends string = string, State extends object = object> = (
  input: ResourceInput<Uri>,
  ctx: Context<State>,
) => ResourceReturn | Promise<ResourceReturn>;

const members: Members = {
  rules: {
    name: named,
    title: text,
    description: text,
    mimeType: mediaType,
    size: byteCount,
    icons,
    annotations: resourceAnnotations,
    visible: decides,
    scopes,
    cache: cacheHints,
    meta: metadata,
    complete: completers,
    list: callable,
  } satisfies RulesFor<ResourceOptions>,
  instead: {
    ...handlerInstead,
    scope: 'use "scopes", a list',
    requiredScopes: 'use "scopes"',
    read: 'the handler is given after the options, not among them',
    uri: 'the URI is given before the options',
    uriTemplate: 'the template is given before the options',
    contentType: 'use "mimeType"',
    _meta: 'use "meta"',
  },
};

/**
 * Checks the options of a resource or a template.
 * @throws TypeError or RangeError that names the resource, the problem and the fix.
 */
export function checkResource(uri: string, options: ResourceOptions, handler: unknown): void {
  if (typeof uri !== 'string' || uri === '')
    throw new TypeError(
      'A resource needs a URI, such as notes://today, or a template, such as notes://{id}.',
    );
  const owner = `Resource "${uri}"`;
  const call = 'resource(uri, options, handler)';
  checkRegistration({ owner, call, options, handler, takes: '(input, ctx)' }, members);
  const problem = hintsProblem(options.cache ?? {});
  if (problem !== undefined) throw new RangeError(`${owner}: its "cache" ${problem}.`);
  if (uri.includes('{')) {
    if (options.size !== undefined)
      throw new TypeError(`${owner} is a template: "size" has no meaning for it; give it where you list.`);
    return;
  }
  if (!isUrl(uri)) throw new TypeError(`${owner} needs an absolute URI, such as notes://today.`);
  const bad = unfitForUri(uri);
  if (bad !== undefined)
    throw new TypeError(`${owner} has ${JSON.stringify(bad)} in its URI; percent-encode it.`);
  if (options.list !== undefined || options.complete !== undefined)
    throw new TypeError(`${owner} is not a template: "list" and "complete" have no meaning for it.`);
}
