import type { Prompt, Resource, ResourceTemplate, Tool } from '@tenon/mcp-client';
import type { Catalog } from '../catalog/catalog.js';
import type { LintPlace } from './rule.js';

/** An entry of any list, with its place. */
export type NamedEntry =
  | { readonly place: LintPlace; readonly entry: Tool; readonly kind: 'tool' }
  | { readonly place: LintPlace; readonly entry: Prompt; readonly kind: 'prompt' }
  | { readonly place: LintPlace; readonly entry: Resource; readonly kind: 'resource' }
  | { readonly place: LintPlace; readonly entry: ResourceTemplate; readonly kind: 'template' };

/** Returns the place of a tool. */
export function toolPlace({ name }: Tool): LintPlace {
  return { kind: 'tool', name };
}

/** Returns all entries of a server. */
export function* entriesOf({ tools, prompts, resources, resourceTemplates }: Catalog): Generator<NamedEntry> {
  for (const entry of tools) yield { kind: 'tool', place: toolPlace(entry), entry };
  for (const entry of prompts) yield { kind: 'prompt', place: { kind: 'prompt', name: entry.name }, entry };
  for (const entry of resources)
    yield { kind: 'resource', place: { kind: 'resource', name: entry.uri }, entry };
  for (const entry of resourceTemplates)
    yield { kind: 'template', place: { kind: 'template', name: entry.uriTemplate }, entry };
}
