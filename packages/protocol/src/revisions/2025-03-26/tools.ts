import type { RequestRow } from '../../codec/revision.js';
import type { Rows } from '../../codec/rows.js';
import { aBoolean, aString, type Definition, define, grow, listOf } from '../../codec/shape.js';
import * as before from '../2024-11-05/tools.js';
import { contentBlock } from './content.js';

export const toolAnnotations: Definition = define(
  {},
  {
    title: aString,
    readOnlyHint: aBoolean,
    destructiveHint: aBoolean,
    idempotentHint: aBoolean,
    openWorldHint: aBoolean,
  },
);

export const tool: Definition = grow(before.tool, { optional: { annotations: toolAnnotations } });

export const callToolResult: Definition = grow(before.callToolResult, {
  required: { content: listOf(contentBlock) },
});

export const tools: Rows<RequestRow> = before.toolRequests({
  tool: before.described(tool),
  callToolParams: before.callToolParams,
  callToolResult,
});
