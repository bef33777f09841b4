import * as neutral from '../../codec/neutral-keys.js';
import type { RequestRow } from '../../codec/revision.js';
import { type Rows, request } from '../../codec/rows.js';
import {
  aBoolean,
  anInteger,
  aRecord,
  aString,
  aValue,
  chosen,
  define,
  listOf,
  message,
  type ObjectShape,
  plain,
  union,
} from '../../codec/shape.js';
import { oneOf } from '../../json-rpc/check.js';
import { samplingSettings } from '../2024-11-05/client-features.js';
import { role } from '../2024-11-05/content.js';
import { toolChoice, toolUse } from '../2025-11-25/sampling.js';
import { contentBlock, mediaContent } from './content.js';
import { tool } from './tool-definition.js';

export const listRootsParams: ObjectShape = message(neutral.noParams, {}, { _meta: aRecord });

export const listRootsResult: ObjectShape = message(neutral.listRootsResult, {
  roots: listOf(define({ uri: aString }, { name: aString, _meta: aRecord })),
});

/** @deprecated by this revision: pass folders as tool arguments, resource URIs or configuration. */
export const roots: Rows<RequestRow> = { 'roots/list': request(listRootsParams, listRootsResult) };

const toolResult = define(
  { type: plain(oneOf('tool_result')), toolUseId: aString, content: listOf(contentBlock) },
  { structuredContent: aValue, isError: aBoolean, _meta: aRecord },
);

const block = union('type', { ...mediaContent, tool_use: toolUse, tool_result: toolResult });
const blocks = listOf(block);

const content = chosen((value) => (Array.isArray(value) ? blocks : block));

export const createMessageParams: ObjectShape = message(
  neutral.createMessageParams,
  { messages: listOf(define({ role, content }, { _meta: aRecord })), maxTokens: anInteger },
  { ...samplingSettings, tools: listOf(tool), toolChoice },
);

export const createMessageResult: ObjectShape = message(
  neutral.createMessageResult,
  { role, content, model: aString },
  { stopReason: aString, _meta: aRecord },
);

/** @deprecated by this revision: call a model provider directly. */
export const sampling: Rows<RequestRow> = {
  'sampling/createMessage': request(createMessageParams, createMessageResult),
};
