import type { RequestRow } from '../../codec/revision.js';
import { type Rows, request } from '../../codec/rows.js';
import {
  aBoolean,
  aRecord,
  aString,
  byMember,
  chosen,
  define,
  grow,
  listOf,
  type ObjectShape,
  plain,
  widen,
} from '../../codec/shape.js';
import { oneOf } from '../../json-rpc/check.js';
import { createMessageParams, createMessageResult } from '../2024-11-05/client-features.js';
import { role } from '../2024-11-05/content.js';
import { samplingContent as contentBefore } from '../2025-06-18/revision.js';
import { objectContent } from '../2025-06-18/tools.js';
import { contentBlock } from './content.js';
import { createTaskResult, task } from './tasks.js';
import { tool } from './tools.js';

export const toolUse: ObjectShape = define(
  { type: plain(oneOf('tool_use')), id: aString, name: aString, input: aRecord },
  { _meta: aRecord },
);

const toolResult = define(
  { type: plain(oneOf('tool_result')), toolUseId: aString, content: listOf(contentBlock) },
  { structuredContent: objectContent, isError: aBoolean, _meta: aRecord },
);

const block = widen(contentBefore, { tool_use: toolUse, tool_result: toolResult });
const blocks = listOf(block);

const content = chosen((value) => (Array.isArray(value) ? blocks : block));

const message = define({ role, content }, { _meta: aRecord });

export const toolChoice: ObjectShape = define({}, { mode: plain(oneOf('auto', 'required', 'none')) });

const result = grow(createMessageResult(block), { required: { content } });

export const sampling: Rows<RequestRow> = {
  'sampling/createMessage': request(
    grow(createMessageParams(block), {
      required: { messages: listOf(message) },
      optional: { tools: listOf(tool), toolChoice, task },
    }),
    byMember({ role: result, task: createTaskResult }, result),
  ),
};
