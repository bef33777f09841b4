import * as neutral from '../../codec/neutral-keys.js';
import { emptyContent } from '../../codec/repairs.js';
import type { RequestRow } from '../../codec/revision.js';
import { type Rows, request } from '../../codec/rows.js';
import {
  aBoolean,
  anInteger,
  aRecord,
  aString,
  aToken,
  aValue,
  define,
  listOf,
  mapping,
  message,
  openObject,
  plain,
} from '../../codec/shape.js';
import { all, list, rootProblem, string } from '../../json-rpc/check.js';
import { MetaKey } from '../../json-rpc/meta.js';
import { role } from '../2024-11-05/content.js';
import { withIsError } from '../2024-11-05/tools.js';
import { resourceContents } from '../2025-06-18/content.js';
import { reference } from '../2025-06-18/revision.js';
import { implementation, prompt, resource, resourceTemplate } from '../2025-11-25/content.js';
import { contentBlock, requestMeta } from './content.js';
import { answerMembers, inputRequiredRow } from './input.js';
import { listenFilter } from './notifications.js';
import { atLeastZero, cacheMembers, completeResult, hinted, listing } from './results.js';
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

export const tools: Rows<RequestRow> = {
  'tools/list': listing(neutral.listToolsResult, 'tools', tool),
  'tools/call': inputRequiredRow(callToolParams, withIsError(callToolResult), {
    named: 'name',
    repairs: [emptyContent],
  }),
};

const readResult = completeResult(
  neutral.readResourceResult,
  { contents: listOf(resourceContents) },
  cacheMembers,
);

export const resources: Rows<RequestRow> = {
  'resources/list': listing(neutral.listResourcesResult, 'resources', resource),
  'resources/templates/list': listing(
    neutral.listResourceTemplatesResult,
    'resourceTemplates',
    resourceTemplate,
  ),
  'resources/read': inputRequiredRow(
    message(neutral.readResourceParams, { uri: aString }, answerMembers),
    hinted(readResult),
    { decodeResult: atLeastZero, named: 'uri' },
  ),
};

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

const tooMany = rootProblem('expected at most 100 values');

const offers = plain(
  all(list(string), (value) => (Array.isArray(value) && value.length > 100 ? tooMany : undefined)),
);

export const completion: Rows<RequestRow> = {
  'completion/complete': request(
    message(
      neutral.completeParams,
      { ref: reference, argument: define({ name: aString, value: aString }) },
      { context: define({}, { arguments: mapping(aString) }), _meta: requestMeta },
    ),
    completeResult(neutral.completeResult, {
      completion: define({ values: offers }, { total: anInteger, hasMore: aBoolean }),
    }),
  ),
};

const listenMeta = openObject({ [MetaKey.subscriptionId]: aToken }, { [MetaKey.serverInfo]: implementation });

export const subscriptions: Rows<RequestRow> = {
  'subscriptions/listen': request(
    message(neutral.listenParams, { notifications: listenFilter }, { _meta: requestMeta }),
    completeResult(neutral.emptyResult, { _meta: listenMeta }),
    { lasting: true },
  ),
};
