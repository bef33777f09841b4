import { type Check, list, mapOf, object, oneOf, record, string } from '../../check.js';
import { isObject } from '../../json.js';
import type { NotificationRow, RequestRow } from '../../revision.js';
import {
  aBoolean,
  aRecord,
  aString,
  type Definition,
  define,
  finished,
  type Kind,
  listOf,
  message,
  type Write,
} from '../kind.js';
import * as neutral from '../neutral-keys.js';
import { emptyContent } from '../repairs.js';
import { notification, type Rows, request } from '../rows.js';
import { messageMeta, requestMeta } from './annotations.js';
import { contentBlock } from './content.js';
import { noNotice } from './lifecycle.js';
import { listing } from './resources.js';

/** Property schemas that are true or false become objects: the handshake revisions want objects. */
export const withObjectProperties: Write = (schema) => {
  const properties = isObject(schema) ? schema.properties : undefined;
  if (!isObject(schema) || !isObject(properties)) return schema;
  const entries = Object.entries(properties);
  if (!entries.some(([, property]) => typeof property === 'boolean')) return schema;
  return {
    ...schema,
    properties: Object.fromEntries(entries.map(([name, property]) => [name, asObject(property)])),
  };
};

function asObject(schema: unknown): unknown {
  if (typeof schema !== 'boolean') return schema;
  return schema ? {} : { not: {} };
}

/** Property schemas as they are read: peers send true and false in every revision. */
export const propertySchema: Check = (value) => (typeof value === 'boolean' ? undefined : record(value));

export const inputSchema: Kind = {
  check: object({ type: oneOf('object') }, { properties: mapOf(propertySchema), required: list(string) }),
  write: withObjectProperties,
};

export const tool: Definition = define({ name: aString, inputSchema }, { description: aString });

/** A tool that always says what it does. */
export function described(kind: Kind): Kind {
  return finished(kind, (written) =>
    written.description === undefined ? { ...written, description: '' } : written,
  );
}

export const callToolParams: Definition = message(
  neutral.callToolParams,
  { name: aString },
  { arguments: aRecord, _meta: requestMeta },
);

export const callToolResult: Definition = message(
  neutral.callToolResult,
  { content: listOf(contentBlock) },
  { isError: aBoolean, _meta: messageMeta },
);

/** Says of every tool result whether it is an error. */
export function judged(kind: Kind): Kind {
  return finished(kind, (written) => {
    if (written.isError !== undefined || written.content === undefined) return written;
    // A member added after a spread costs ten times as much as one named before it.
    const whole: Record<string, unknown> = { isError: false, ...written };
    whole.isError ??= false;
    return whole;
  });
}

/** Tool requests, given the kinds that change between revisions. */
export function toolRequests(kinds: {
  readonly tool: Kind;
  readonly callToolParams: Kind;
  readonly callToolResult: Kind;
}): Rows<RequestRow> {
  return {
    'tools/list': listing(neutral.listToolsResult, 'tools', kinds.tool),
    'tools/call': request(kinds.callToolParams, judged(kinds.callToolResult), { repairs: [emptyContent] }),
  };
}

export const tools: Rows<RequestRow> = toolRequests({
  tool: described(tool),
  callToolParams,
  callToolResult,
});

export const toolNotices: Rows<NotificationRow> = {
  'notifications/tools/list_changed': notification(noNotice),
};
