import { list, mapOf, object, oneOf, record, string } from '../../check.js';
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
} from '../kind.js';
import * as neutral from '../neutral-keys.js';
import { withObjectProperties } from '../property-schemas.js';
import { emptyContent } from '../repairs.js';
import { notification, type Rows, request } from '../rows.js';
import { messageMeta, requestMeta } from './annotations.js';
import { contentBlock } from './content.js';
import { noNotice } from './lifecycle.js';
import { listing } from './resources.js';

export const inputSchema: Kind = {
  check: object({ type: oneOf('object') }, { properties: mapOf(record), required: list(string) }),
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
