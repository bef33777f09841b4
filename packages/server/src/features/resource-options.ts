import type {
  Annotations,
  BlobResourceContents,
  CacheHints,
  Icon,
  Meta,
  ReadResourceResult,
  Resource,
  TextResourceContents,
} from '@tenon/mcp-protocol';
import { isUrl } from '@tenon/mcp-protocol/internal';
import type { Context } from '../context.js';
import { hintsFlaw } from '../definition.js';
import { checkRegistration, handlerInstead } from '../registration/check.js';
import type { Members } from '../registration/members.js';
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
} from '../registration/rules.js';
import type { Visibility } from '../registry.js';
import { unfitForUri } from '../uri-characters.js';
import type { VariablesOf } from '../uri-templates/variables.js';
import type { Completers } from './completers.js';

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
  /**
   * Decides who sees it: in lists, reads, completion and updates alike. A template is asked about URIs however they are
   * percent-encoded: its handler must decide by what the variables say.
   */
  readonly visible?: Visibility;
  /**
   * Scopes that it takes to read it, to complete its variables and to subscribe to it, all of them; as those of a tool. What
   * a template's `list` gives is listed to those who have them.
   */
  readonly scopes?: readonly string[];
  /**
   * How long and by whom what was read may be reused. Default: not at all. What is not `visible` to everybody, or takes
   * scopes, is never for shared caches.
   */
  readonly cache?: CacheHints;
  readonly meta?: Meta;
  /** Suggestions for the variables of a template, by name. */
  readonly complete?: Completers;
  /** The resources of a template that exist at present; listed in this order, after those that are registered singly. */
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
 * Checks what a resource or a template is registered with.
 * @throws TypeError or RangeError that names the resource, what is wrong, and the fix.
 */
export function checkResource(uri: string, options: ResourceOptions, handler: unknown): void {
  if (typeof uri !== 'string' || uri === '')
    throw new TypeError(
      'A resource needs a URI, such as notes://today, or a template, such as notes://{id}.',
    );
  const owner = `Resource "${uri}"`;
  const call = 'resource(uri, options, handler)';
  checkRegistration({ owner, call, options, handler, takes: '(input, ctx)' }, members);
  const flaw = hintsFlaw(options.cache ?? {});
  if (flaw !== undefined) throw new RangeError(`${owner}: its "cache" ${flaw}.`);
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
