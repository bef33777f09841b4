import { withObjectProperties } from '../../codec/repairs.js';
import type { RequestRow } from '../../codec/revision.js';
import type { Rows } from '../../codec/rows.js';
import {
  aRecord,
  aString,
  byMember,
  define,
  grow,
  listOf,
  mapping,
  type ObjectShape,
  openObject,
  plain,
  type WireShape,
} from '../../codec/shape.js';
import { oneOf } from '../../json-rpc/check.js';
import { callToolParams as paramsBefore, toolRequests } from '../2024-11-05/tools.js';
import * as before from '../2025-06-18/tools.js';
import { contentBlock, icons } from './content.js';
import { createTaskResult, task } from './tasks.js';

const schema: WireShape = openObject(
  { type: plain(oneOf('object')) },
  { $schema: aString, properties: mapping(aRecord), required: listOf(aString) },
  withObjectProperties,
);

const execution = define({}, { taskSupport: plain(oneOf('forbidden', 'optional', 'required')) });

export const tool: ObjectShape = grow(before.tool, {
  required: { inputSchema: schema },
  optional: { icons, execution, outputSchema: before.ofObjects(schema) },
});

const callToolParams = grow(paramsBefore, { optional: { task } });

const callToolResult = grow(before.callToolResult, { required: { content: listOf(contentBlock) } });

export const tools: Rows<RequestRow> = toolRequests({
  tool,
  callToolParams,
  callToolResult: byMember({ content: callToolResult, task: createTaskResult }, callToolResult),
});
