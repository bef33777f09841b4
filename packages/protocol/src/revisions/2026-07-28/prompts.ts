import * as neutral from '../../codec/neutral-keys.js';
import type { NotificationRow, RequestRow } from '../../codec/revision.js';
import { notification, type Rows } from '../../codec/rows.js';
import { aBoolean, aString, define, listOf, mapping, message } from '../../codec/shape.js';
import { contentBlock, definitionMembers, role } from './content.js';
import { answerMembers, inputRequiredRow } from './input.js';
import { noNotificationParams } from './notifications.js';
import { completeResult, listing } from './results.js';

const promptArgument = define(
  { name: aString },
  { title: aString, description: aString, required: aBoolean },
);

const prompt = define({ name: aString }, { ...definitionMembers, arguments: listOf(promptArgument) });

export const prompts: Rows<RequestRow> = {
  'prompts/list': listing(neutral.listPromptsResult, 'prompts', prompt),
  'prompts/get': inputRequiredRow(
    message(neutral.getPromptParams, { name: aString }, { arguments: mapping(aString), ...answerMembers }),
    completeResult(
      neutral.getPromptResult,
      { messages: listOf(define({ role, content: contentBlock })) },
      { description: aString },
    ),
    { named: 'name' },
  ),
};

export const promptNotifications: Rows<NotificationRow> = {
  'notifications/prompts/list_changed': notification(noNotificationParams),
};
