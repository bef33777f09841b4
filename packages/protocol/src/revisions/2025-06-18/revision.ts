import type { RequestRow, Revision, Rules } from '../../codec/revision.js';
import { type Rows, type Tables, tabulated } from '../../codec/rows.js';
import { promptRequests } from '../2024-11-05/prompts.js';
import { resourceRequests } from '../2024-11-05/resources.js';
import * as before from '../2025-03-26/revision.js';
import { completion } from './completion.js';
import { contentBlock, resourceContents } from './content.js';
import { elicitation } from './elicitation.js';
import { initialize } from './lifecycle.js';
import { prompt } from './prompts.js';
import { resource, resourceTemplate } from './resources.js';
import { roots } from './roots.js';
import { sampling } from './sampling.js';
import { tools } from './tools.js';

const inputRequests: Rows<RequestRow> = {
  ...before.tables.inputRequests,
  ...roots,
  ...sampling,
  ...elicitation,
};

/** Exported for later revisions, which extend it. */
export const tables: Tables = {
  ...before.tables,
  clientRequests: {
    ...before.tables.clientRequests,
    ...initialize,
    ...tools,
    ...resourceRequests({ resource, resourceTemplate, resourceContents }),
    ...promptRequests({ prompt, contentBlock }),
    ...completion,
  },
  serverRequests: { ...before.tables.serverRequests, ...inputRequests },
  inputRequests,
};

/** Exported for later revisions, which extend it. */
export const rules: Rules = {
  ...before.rules,
  versionHeader: true,
  inputFeatures: { ...before.rules.inputFeatures, elicit: true },
};

/**
 * Adds elicitation, resource links, structured content, titles, metadata on definitions and context for completion.
 * https://modelcontextprotocol.io/specification/2025-06-18/changelog
 */
export const revision20250618: Revision = {
  ...before.revision20250326,
  id: '2025-06-18',
  ...tabulated(tables),
  rules,
};
