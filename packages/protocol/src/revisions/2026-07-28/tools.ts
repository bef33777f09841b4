import * as neutral from '../../codec/neutral-keys.js';
import { emptyContent } from '../../codec/repairs.js';
import type { NotificationRow, RequestRow } from '../../codec/revision.js';
import { notification, type Rows } from '../../codec/rows.js';
import { aBoolean, aRecord, aString, aValue, finished, listOf, message } from '../../codec/shape.js';
import { contentBlock } from './content.js';
import { answerMembers, inputRequiredRow } from './input.js';
import { noNotificationParams } from './notifications.js';
import { completeResult, listing } from './results.js';
import { tool } from './tool-definition.js';

const callToolParams = message(
  neutral.callToolParams,
  { name: aString },
  { arguments: aRecord, ...answerMembers },
);

const callToolResult = completeResult(
  neutral.callToolResult,
  { content: listOf(contentBlock) },
  { structuredContent: aValue, isError: aBoolean },
);

const judged = finished(callToolResult, (written) => {
  if (written.isError !== undefined) return written;
  // A member added after a spread costs ten times as much as one named before it.
  const whole: Record<string, unknown> = { isError: false, ...written };
  whole.isError ??= false;
  return whole;
});

export const tools: Rows<RequestRow> = {
  'tools/list': listing(neutral.listToolsResult, 'tools', tool),
  'tools/call': inputRequiredRow(callToolParams, judged, { named: 'name', repairs: [emptyContent] }),
};

export const toolNotifications: Rows<NotificationRow> = {
  'notifications/tools/list_changed': notification(noNotificationParams),
};
