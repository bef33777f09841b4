import * as neutral from '../../codec/neutral-keys.js';
import type { RequestRow } from '../../codec/revision.js';
import { type Rows, request } from '../../codec/rows.js';
import {
  aBoolean,
  aString,
  define,
  listOf,
  mapping,
  message,
  type ObjectShape,
  type WireShape,
} from '../../codec/shape.js';
import { contentBlock, messageMeta, requestMeta, role } from './content.js';
import { listing } from './resources.js';

export const promptArgument: ObjectShape = define(
  { name: aString },
  { description: aString, required: aBoolean },
);

export const prompt: ObjectShape = define(
  { name: aString },
  { description: aString, arguments: listOf(promptArgument) },
);

const getPromptParams: ObjectShape = message(
  neutral.getPromptParams,
  { name: aString },
  { arguments: mapping(aString), _meta: requestMeta },
);

/** Prompt requests, given the shapes that change between revisions. */
export function promptRequests(shapes: {
  readonly prompt: WireShape;
  readonly contentBlock: WireShape;
}): Rows<RequestRow> {
  const messages = { messages: listOf(define({ role, content: shapes.contentBlock })) };
  const getResult = message(neutral.getPromptResult, messages, { description: aString, _meta: messageMeta });
  return {
    'prompts/list': listing(neutral.listPromptsResult, 'prompts', shapes.prompt),
    'prompts/get': request(getPromptParams, getResult),
  };
}

export const prompts: Rows<RequestRow> = promptRequests({ prompt, contentBlock });
