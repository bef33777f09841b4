import type { RequestRow } from '../../codec/revision.js';
import type { Rows } from '../../codec/rows.js';
import { aRecord, grow, lazily, listOf, type ObjectShape, type WireShape } from '../../codec/shape.js';
import { isObject } from '../../json-rpc/json.js';
import { callToolParams, inputSchema, toolRequests } from '../2024-11-05/tools.js';
import * as before from '../2025-03-26/revision.js';
import { contentBlock, titled } from './content.js';

/** Output schemas of objects; others are left out, as are the results that follow them. */
export function ofObjects(schema: WireShape): WireShape {
  return lazily({
    check: () => schema.check,
    write: () => (value) => (isObject(value) && value.type === 'object' ? schema.write(value) : undefined),
    relax: () => schema.relax,
  });
}

/** Structured content that is an object; other is left out. */
export const objectContent: WireShape = {
  ...aRecord,
  write: (value) => (isObject(value) ? value : undefined),
};

export const tool: ObjectShape = grow(before.tool, {
  optional: { ...titled, outputSchema: ofObjects(inputSchema) },
});

export const callToolResult: ObjectShape = grow(before.callToolResult, {
  required: { content: listOf(contentBlock) },
  optional: { structuredContent: objectContent },
});

export const tools: Rows<RequestRow> = toolRequests({ tool, callToolParams, callToolResult });
