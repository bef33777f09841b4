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
 * True for the error of an unknown resource, in any revision.
 * @param uri - the requested resource.
 */
export function isResourceNotFound(error: unknown, uri: string): error is RemoteError {
  if (!(error instanceof RemoteError)) return false;
  if (error.code === ErrorCode.resourceNotFound) return true;
  return error.code === ErrorCode.invalidParams && isObject(error.data) && error.data.uri === uri;
}

/** Values for the variables of a template; a variable without a value is left out. */
export type TemplateValues = { readonly [variable: string]: string | readonly string[] };

/**
 * Returns the URI of a template with these values. The code for it loads with the first call.
 * @throws TypeError when the template is broken, or a value is not a text.
 * @see https://www.rfc-editor.org/rfc/rfc6570
 */
export async function expandTemplate(template: string, values: TemplateValues): Promise<string> {
  const given = Object.create(null) as { [variable: string]: unknown };
  for (const [name, value] of Object.entries(values)) {
    const isText =
      typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
    if (!isText) throw new TypeError(`The value of "${name}" must be a string or a list of strings.`);
    given[name] = value;
  }
  const { StdUriTemplate } = await import('@std-uritemplate/std-uritemplate');
  try {
    return StdUriTemplate.expand(template, given);
  } catch (cause) {
    const shown = JSON.stringify(template.slice(0, 256));
    throw new TypeError(`The URI template ${shown} cannot be filled in with these values.`, { cause });
  }
}
