import * as before from '../2024-11-05/tools.js';
import type { RequestRow } from '../revision.js';
import type { Rows } from '../rows.js';
import { aBoolean, aString, type Definition, define, grow, listOf } from '../shape.js';
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
