import type { Principal, Resource, ResourceTemplate } from '@tenon/mcp-protocol';
import type { Completer } from '../../context/context.js';
import type { Registry, Visibility } from '../../core/registry.js';
import type { UriTemplate } from '../../uri-templates/uri-template.js';
import { type Keeping, type KeptUris, unescapedUri } from './kept-uris.js';
import type { ResourceHandler, ResourceInput, ResourceOptions } from './resource-options.js';

/** An entry with variables that may be completed. */
export interface Completable {
  readonly scopes: readonly string[] | undefined;
  readonly completers?: ReadonlyMap<string, Completer> | undefined;
}

/** A resource with a fixed URI. */
export interface ResourceEntry extends Completable {
  readonly definition: Resource;
  readonly handler: ResourceHandler;
  readonly visible: Visibility | undefined;
  readonly options: ResourceOptions;
}

/** A resource template. */
export interface TemplateEntry extends Completable {
  readonly definition: ResourceTemplate;
  readonly template: UriTemplate;
  readonly handler: ResourceHandler;
  readonly visible: Visibility | undefined;
  readonly options: ResourceOptions;
}

/** The entries that may match a URI. */
export interface Registered {
  readonly single: Registry<ResourceEntry>;
  readonly templates: Registry<TemplateEntry>;
  /** The single resources with access control. */
  readonly kept: KeptUris;
}

/** The entry that serves a URI. */
export interface Match {
  readonly entry: ResourceEntry | TemplateEntry;
  readonly variables: ResourceInput['variables'];
  /** All scopes that a read needs. */
  readonly scopes: readonly string[] | undefined;
  /** True if it depends on the caller. */
  readonly isKept: boolean;
}

/** Returns the entry that serves a URI, if it is visible to the caller. */
export function matchOf(
  registered: Registered,
  uri: string,
  principal: Principal | undefined,
): Match | undefined {
  const entry = registered.single.find(uri, principal);
  if (entry !== undefined) return { entry, variables: {}, scopes: entry.scopes, isKept: isKept(entry) };
  // A caller that may not see a resource must not reach it by a template that matches its URI.
  if (registered.single.has(uri)) return undefined;
  const found = matchTemplate(registered, uri, principal);
  return found && kept(registered, found, { uri, principal });
}

/** True if the entry exists, but is not visible to this caller. */
export function hides(registered: Registered, uri: string, principal: Principal | undefined): boolean {
  if (matchOf(registered, uri, principal) !== undefined) return false;
  if (registered.single.has(uri)) return true;
  for (const { template } of registered.templates.all()) if (template.match(uri) !== undefined) return true;
  return false;
}

function matchTemplate(
  { templates }: Registered,
  uri: string,
  principal: Principal | undefined,
): Match | undefined {
  for (const entry of templates.visibleTo(principal)) {
    const variables = entry.template.match(uri);
    if (variables !== undefined) return { entry, variables, scopes: entry.scopes, isKept: isKept(entry) };
  }
  return undefined;
}

/** Templates treat other spellings of a URI as equal: the access control of one applies to all. */
function kept(
  registered: Registered,
  found: Match,
  { uri, principal }: { readonly uri: string; readonly principal: Principal | undefined },
): Match | undefined {
  const keepings: Keeping[] = [...registered.kept.of(uri)];
  if (keepings.some(({ visible }) => visible !== undefined && visible(principal) !== true)) return undefined;
  const plain = unescapedUri(uri);
  const meant = plain === uri ? undefined : matchTemplate(registered, plain, principal);
  if (meant?.isKept === true && meant.entry !== found.entry) keepings.push(meant.entry);
  if (keepings.length === 0) return found;
  const scopes = new Set([found, ...keepings].flatMap((one) => one.scopes ?? []));
  return { ...found, scopes: [...scopes], isKept: true };
}

function isKept({ visible, scopes }: Keeping): boolean {
  return visible !== undefined || scopes !== undefined;
}
