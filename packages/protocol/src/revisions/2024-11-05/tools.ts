import * as neutral from '../../codec/neutral-keys.js';
import { emptyContent, withObjectProperties } from '../../codec/repairs.js';
import type { RequestRow } from '../../codec/revision.js';
import { type Rows, request } from '../../codec/rows.js';
import {
  aBoolean,
  aRecord,
  aString,
  define,
  finished,
  listOf,
  mapping,
  message,
  notNull,
  type ObjectShape,
  openObject,
  plain,
  type WireShape,
} from '../../codec/shape.js';
import { oneOf } from '../../json-rpc/check.js';
import { contentBlock, messageMeta, requestMeta } from './content.js';
import { listing } from './resources.js';

/** A schema of an object: later revisions define `$schema`. */
export const inputSchema: WireShape = openObject(
  { type: plain(oneOf('object')) },
  { properties: mapping(aRecord), required: listOf(aString), $schema: notNull },
  withObjectProperties,
);

export const tool: ObjectShape = define({ name: aString, inputSchema }, { description: aString });

/** A tool with a description. */
export function described(shape: WireShape): WireShape {
  return finished(shape, (written) =>
    written.description === undefined ? { ...written, description: '' } : written,
  );
}

export const callToolParams: ObjectShape = message(
  neutral.callToolParams,
  { name: aString },
  { arguments: aRecord, _meta: requestMeta },
);

export const callToolResult: ObjectShape = message(
  neutral.callToolResult,
  { content: listOf(contentBlock) },
  { isError: aBoolean, _meta: messageMeta },
);

/** Adds `isError` to every tool result. */
export function withIsError(shape: WireShape): WireShape {
  return finished(shape, (written) => {
    if (written.isError !== undefined || written.content === undefined) return written;
    // A member added after a spread costs ten times as much as one named before it.
    const whole: Record<string, unknown> = { isError: false, ...written };
    whole.isError ??= false;
    return whole;
  });
}

/** Tool requests, given the shapes that change between revisions. */
export function toolRequests(shapes: {
  readonly tool: WireShape;
  readonly callToolParams: WireShape;
  readonly callToolResult: WireShape;
}): Rows<RequestRow> {
  return {
    'tools/list': listing(neutral.listToolsResult, 'tools', shapes.tool),
    'tools/call': request(shapes.callToolParams, withIsError(shapes.callToolResult), {
      repairs: [emptyContent],
    }),
  };
}

export const tools: Rows<RequestRow> = toolRequests({
  tool: described(tool),
  callToolParams,
  callToolResult,
});
