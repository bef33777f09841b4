import type { Revision, Rules } from '../../codec/revision.js';
import { type Tables, tabulated } from '../../codec/rows.js';
import { prompt, promptRequests } from '../2024-11-05/prompts.js';
import * as before from '../2024-11-05/revision.js';
import { contentBlock } from './content.js';
import { initialize, spokenProgress } from './lifecycle.js';
import { sampling } from './sampling.js';
import { tools } from './tools.js';

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
