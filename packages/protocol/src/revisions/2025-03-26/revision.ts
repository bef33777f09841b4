import type { Revision, Rules } from '../../revision.js';
import { prompt, promptRequests } from '../2024-11-05/prompts.js';
import * as before from '../2024-11-05/revision.js';
import { type Tables, tabulated } from '../rows.js';
import { contentBlock } from './content.js';
import { initialize, spokenProgress } from './lifecycle.js';
import { sampling } from './sampling.js';
import { tools } from './tools.js';

/** What later revisions start from. */
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
  asks: { ...before.tables.asks, ...sampling },
};

/** What later revisions start from. */
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
