import * as neutral from '../../codec/neutral-keys.js';
import type { NotificationRow, RequestRow } from '../../codec/revision.js';
import { notification, type Rows, request } from '../../codec/rows.js';
import {
  aNumber,
  anInteger,
  aRecord,
  aString,
  define,
  lazily,
  listOf,
  message,
  type ObjectShape,
  type Parts,
  plain,
  type Union,
  union,
  type WireShape,
  type Write,
} from '../../codec/shape.js';
import { between, list, oneOf } from '../../json-rpc/check.js';
import { isObject } from '../../json-rpc/json.js';
import { asText, describeAll, imageContent, messageMeta, requestMeta, role, textContent } from './content.js';
import { noNotificationParams, noParams } from './lifecycle.js';

export const root: ObjectShape = define({ uri: aString }, { name: aString });

/** The roots request, given what a root is. */
export function rootRequests(shape: WireShape): Rows<RequestRow> {
  const result = message(neutral.listRootsResult, { roots: listOf(shape) }, { _meta: messageMeta });
  return { 'roots/list': request(noParams, result) };
}

export const roots: Rows<RequestRow> = rootRequests(root);

export const rootNotifications: Rows<NotificationRow> = {
  'notifications/roots/list_changed': notification(noNotificationParams),
};

export const samplingContent: Union = union('type', { text: textContent, image: imageContent }, asText);

const priority: WireShape = plain(between(0, 1));

const modelPreferences: ObjectShape = define(
  {},
  {
    hints: listOf(define({}, { name: aString })),
    costPriority: priority,
    speedPriority: priority,
    intelligencePriority: priority,
  },
);

/** Members of a sampling request beside its messages, its metadata and what later revisions add. */
export const samplingSettings: Parts = {
  modelPreferences,
  systemPrompt: aString,
  includeContext: plain(oneOf('none', 'thisServer', 'allServers')),
  temperature: aNumber,
  stopSequences: listOf(aString),
  metadata: aRecord,
};

/** Messages of one block each: a message of many blocks becomes as many messages. */
function singleBlockMessages(content: WireShape): WireShape {
  const one = define({ role, content });
  const spread = (value: unknown): readonly unknown[] =>
    isObject(value) && Array.isArray(value.content)
      ? value.content.map((block) => one.write({ ...value, content: block }))
      : [one.write(value)];
  return lazily({
    check: () => list(one.check),
    write: () => (value) => (Array.isArray(value) ? value.flatMap(spread) : value),
    relax: () => listOf(one).relax,
  });
}

/** One block. Several blocks become one block of text. */
function singleBlock(content: WireShape): WireShape {
  const write: Write = (value) => {
    if (!Array.isArray(value)) return content.write(value);
    return value.length === 1 ? content.write(value[0]) : { type: 'text', text: describeAll(value) };
  };
  return lazily({ check: () => content.check, write: () => write, relax: () => content.relax });
}

/** The result of sampling, given its content. */
export function createMessageResult(content: WireShape): ObjectShape {
  return message(
    neutral.createMessageResult,
    { role, content: singleBlock(content), model: aString },
    { stopReason: aString, _meta: messageMeta },
  );
}

/** Sampling params, given the content of messages. */
export function createMessageParams(content: WireShape): ObjectShape {
  return message(
    neutral.createMessageParams,
    { messages: singleBlockMessages(content), maxTokens: anInteger },
    { ...samplingSettings, _meta: requestMeta },
  );
}

/** The sampling request, given the content of messages. */
export function samplingRequest(content: WireShape): Rows<RequestRow> {
  return { 'sampling/createMessage': request(createMessageParams(content), createMessageResult(content)) };
}

export const sampling: Rows<RequestRow> = samplingRequest(samplingContent);
