import type { ReadResourceResult, Resource, ResourceTemplate } from '@tenon/mcp-protocol';
import type { CallOptions } from '../call-options.js';
import type { Caller } from '../caller.js';
import { type ListSettings, Pages, pageParams } from './pagination.js';

/** Reads `resources/list`. https://modelcontextprotocol.io/specification/latest/server/resources */
export function listResources(caller: Caller, { limit, call }: ListSettings): Pages<Resource> {
  return new Pages(async (cursor) => {
    const { resources: items, ...rest } = await caller.call('resources/list', pageParams(cursor), call);
    return { ...rest, items };
  }, limit);
}

/** Reads `resources/templates/list`. https://modelcontextprotocol.io/specification/latest/server/resources */
export function listResourceTemplates(
  caller: Caller,
  { limit, call }: ListSettings,
): Pages<ResourceTemplate> {
  return new Pages(async (cursor) => {
    const { resourceTemplates: items, ...rest } = await caller.call(
      'resources/templates/list',
      pageParams(cursor),
      call,
    );
    return { ...rest, items };
  }, limit);
}

/** Reads one resource. https://modelcontextprotocol.io/specification/latest/server/resources#reading-resources */
export function readResource(
  caller: Caller,
  uri: string,
  options?: CallOptions,
): Promise<ReadResourceResult> {
  return caller.call('resources/read', { uri }, options);
}
