import {
  ErrorCode,
  type ReadResourceResult,
  RemoteError,
  type Resource,
  type ResourceTemplate,
} from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { CallOptions } from '../calls/call-options.js';
import type { Caller } from '../calls/caller.js';
import { type ListSettings, Pages, pageParams } from './pagination.js';

/** Reads `resources/list`. https://modelcontextprotocol.io/specification/latest/server/resources */
export function listResources(caller: Caller, { bounds, call }: ListSettings): Pages<Resource> {
  return new Pages('resources/list', bounds, async (cursor) => {
    const { resources: items, ...rest } = await caller.read('resources/list', pageParams(cursor), call);
    return { ...rest, items };
  });
}

/** Reads `resources/templates/list`. https://modelcontextprotocol.io/specification/latest/server/resources */
export function listResourceTemplates(
  caller: Caller,
  { bounds, call }: ListSettings,
): Pages<ResourceTemplate> {
  return new Pages('resources/templates/list', bounds, async (cursor) => {
    const { resourceTemplates: items, ...rest } = await caller.read(
      'resources/templates/list',
      pageParams(cursor),
      call,
    );
    return { ...rest, items };
  });
}

/** Reads one resource. https://modelcontextprotocol.io/specification/latest/server/resources#reading-resources */
export function readResource(
  caller: Caller,
  uri: string,
  options?: CallOptions,
): Promise<ReadResourceResult> {
  return caller.read('resources/read', { uri }, options);
}

/**
 * True for the error that says there is no such resource, in whichever way the revision has it said.
 * @param uri - the resource that was asked for.
 */
export function isResourceNotFound(error: unknown, uri: string): error is RemoteError {
  if (!(error instanceof RemoteError)) return false;
  if (error.code === ErrorCode.resourceNotFound) return true;
  return error.code === ErrorCode.invalidParams && isObject(error.data) && error.data.uri === uri;
}
