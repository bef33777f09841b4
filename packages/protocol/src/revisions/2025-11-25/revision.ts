import type { RequestRow, Revision, Rules } from '../../codec/revision.js';
import { type Rows, type Tables, tabulated } from '../../codec/rows.js';
import { promptRequests } from '../2024-11-05/prompts.js';
import { resourceRequests } from '../2024-11-05/resources.js';
import { resourceContents } from '../2025-06-18/content.js';
import * as before from '../2025-06-18/revision.js';
import { contentBlock, prompt, resource, resourceTemplate } from './content.js';
import { elicitation, elicitationNotifications } from './elicitation.js';
import { cancelled, initialize } from './lifecycle.js';
import { sampling } from './sampling.js';
import { taskNotifications, taskRequests } from './tasks.js';
import { tools } from './tools.js';

const inputRequests: Rows<RequestRow> = { ...before.tables.inputRequests, ...sampling, ...elicitation };

const tables: Tables = {
  clientRequests: {
    ...before.tables.clientRequests,
    ...initialize,
    ...tools,
    ...resourceRequests({ resource, resourceTemplate, resourceContents }),
    ...promptRequests({ prompt, contentBlock }),
    ...taskRequests,
  },
  serverRequests: { ...before.tables.serverRequests, ...inputRequests, ...taskRequests },
  clientNotifications: { ...before.tables.clientNotifications, ...cancelled, ...taskNotifications },
  serverNotifications: {
    ...before.tables.serverNotifications,
    ...cancelled,
    ...elicitationNotifications,
    ...taskNotifications,
  },
  inputRequests,
};

const rules: Rules = {
  ...before.rules,
  badToolInput: 'tool-error',
  primedStreams: true,
  unreadableId: undefined,
  urlElicitationError: true,
  elicitationIds: true,
  tasks: true,
  inputFeatures: { elicit: true, url: true, samplingTools: true },
};

/**
 * Adds icons, URL elicitation, defaults and choices in forms, tools in sampling, and tasks.
 * https://modelcontextprotocol.io/specification/2025-11-25/changelog
 */
export const revision20251125: Revision = {
  ...before.revision20250618,
  id: '2025-11-25',
  ...tabulated(tables),
  rules,
};
