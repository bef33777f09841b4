import type { NotificationRow, RequestRow } from '../../revision.js';
import { aBoolean, aString, type Definition, define, type Kind, listOf, mapping, message } from '../kind.js';
import * as neutral from '../neutral-keys.js';
import { notification, type Rows, request } from '../rows.js';
import { messageMeta, requestMeta, role } from './annotations.js';
import { contentBlock } from './content.js';
import { noNotice } from './lifecycle.js';
import { listing } from './resources.js';

export const promptArgument: Definition = define(
  { name: aString },
  { description: aString, required: aBoolean },
);

export const prompt: Definition = define(
  { name: aString },
  { description: aString, arguments: listOf(promptArgument) },
);

const getPromptParams: Definition = message(
  neutral.getPromptParams,
  { name: aString },
  { arguments: mapping(aString), _meta: requestMeta },
);

/** Prompt requests, given the kinds that change between revisions. */
export function promptRequests(kinds: {
  readonly prompt: Kind;
  readonly contentBlock: Kind;
}): Rows<RequestRow> {
  const messages = { messages: listOf(define({ role, content: kinds.contentBlock })) };
  const getResult = message(neutral.getPromptResult, messages, { description: aString, _meta: messageMeta });
  return {
    'prompts/list': listing(neutral.listPromptsResult, 'prompts', kinds.prompt),
    'prompts/get': request(getPromptParams, getResult),
  };
}

export const prompts: Rows<RequestRow> = promptRequests({ prompt, contentBlock });

export const promptNotices: Rows<NotificationRow> = {
  'notifications/prompts/list_changed': notification(noNotice),
};
