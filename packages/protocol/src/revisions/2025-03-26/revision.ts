import type { NotificationRow, RequestRow, Revision, Rules } from '../../codec/revision.js';
import { notification, type Rows, request, type Tables, tabulated } from '../../codec/rows.js';
import {
  aBoolean,
  aRecord,
  aString,
  define,
  finished,
  grow,
  listOf,
  type ObjectShape,
  plain,
  type Union,
  widen,
} from '../../codec/shape.js';
import { oneOf } from '../../json-rpc/check.js';
import {
  createMessageParams,
  createMessageResult,
  samplingContent as samplingContentBefore,
} from '../2024-11-05/client-features.js';
import { annotations, contentBlock as contentBlockBefore, implementation } from '../2024-11-05/content.js';
import {
  clientCapabilities,
  inFlight,
  initializeRequest,
  progressParams,
  serverCapabilities as serverCapabilitiesBefore,
} from '../2024-11-05/lifecycle.js';
import { prompt, promptRequests } from '../2024-11-05/prompts.js';
import * as before from '../2024-11-05/revision.js';
import * as toolsBefore from '../2024-11-05/tools.js';

export const audioContent: ObjectShape = define(
  { type: plain(oneOf('audio')), data: aString, mimeType: aString },
  { annotations },
);

export const contentBlock: Union = widen(contentBlockBefore, { audio: audioContent });

export const serverCapabilities: ObjectShape = grow(serverCapabilitiesBefore, {
  optional: { completions: aRecord },
});

const initialize = initializeRequest({ clientCapabilities, serverCapabilities, implementation });

/** Progress may have a message. */
const spokenProgress: Rows<NotificationRow> = {
  ...inFlight,
  'notifications/progress': notification(grow(progressParams, { optional: { message: aString } })),
};

export const samplingContent: Union = widen(samplingContentBefore, { audio: audioContent });

const sampling: Rows<RequestRow> = {
  'sampling/createMessage': request(
    createMessageParams(samplingContent),
    // This revision requires a stop reason in every answer.
    finished(createMessageResult(samplingContent), (written) =>
      written.stopReason === undefined ? { ...written, stopReason: 'endTurn' } : written,
    ),
  ),
};

export const toolAnnotations: ObjectShape = define(
  {},
  {
    title: aString,
    readOnlyHint: aBoolean,
    destructiveHint: aBoolean,
    idempotentHint: aBoolean,
    openWorldHint: aBoolean,
  },
);

export const tool: ObjectShape = grow(toolsBefore.tool, { optional: { annotations: toolAnnotations } });

export const callToolResult: ObjectShape = grow(toolsBefore.callToolResult, {
  required: { content: listOf(contentBlock) },
});

const tools: Rows<RequestRow> = toolsBefore.toolRequests({
  tool: toolsBefore.described(tool),
  callToolParams: toolsBefore.callToolParams,
  callToolResult,
});

/** Exported for later revisions, which extend it. */
export const tables: Tables = {
  clientRequests: {
    ...before.tables.clientRequests,
    ...initialize,
    ...tools,
    ...promptRequests({ prompt, contentBlock }),
  },
  serverRequests: { ...before.tables.serverRequests, ...sampling },
  clientNotifications: { ...before.tables.clientNotifications, ...spokenProgress },
  serverNotifications: { ...before.tables.serverNotifications, ...spokenProgress },
  inputRequests: { ...before.tables.inputRequests, ...sampling },
};

/** Exported for later revisions, which extend it. */
export const rules: Rules = { ...before.rules, completionsDeclared: true, resumable: true };

/**
 * Adds audio, tool annotations, the completions capability, words in progress, resumable HTTP and, for this revision
 * alone, batches. https://modelcontextprotocol.io/specification/2025-03-26/changelog
 */
export const revision20250326: Revision = {
  ...before.revision20241105,
  id: '2025-03-26',
  ...tabulated(tables),
  rules: { ...rules, batching: true },
};
