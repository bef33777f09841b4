import type { RequestRow, Revision, Rules } from '../../codec/revision.js';
import { type Rows, request, type Tables, tabulated } from '../../codec/rows.js';
import { aRecord, aString, define, grow, mapping, type Union, widen } from '../../codec/shape.js';
import {
  createMessageParams,
  createMessageResult,
  root,
  rootRequests,
} from '../2024-11-05/client-features.js';
import {
  completeParams,
  completeResult,
  promptReference,
  reference as referenceBefore,
} from '../2024-11-05/completion.js';
import { promptRequests } from '../2024-11-05/prompts.js';
import { resourceRequests } from '../2024-11-05/resources.js';
import * as before from '../2025-03-26/revision.js';
import {
  audioContent,
  contentBlock,
  imageContent,
  prompt,
  resource,
  resourceContents,
  resourceTemplate,
  textContent,
} from './content.js';
import { elicitation } from './elicitation.js';
import { initialize } from './lifecycle.js';
import { tools } from './tools.js';

export const reference: Union = widen(referenceBefore, {
  'ref/prompt': grow(promptReference, { optional: { title: aString } }),
});

const context = define({}, { arguments: mapping(aString) });

const completion: Rows<RequestRow> = {
  'completion/complete': request(
    grow(completeParams, { required: { ref: reference }, optional: { context } }),
    completeResult,
  ),
};

const roots: Rows<RequestRow> = rootRequests(grow(root, { optional: { _meta: aRecord } }));

export const samplingContent: Union = widen(before.samplingContent, {
  text: textContent,
  image: imageContent,
  audio: audioContent,
});

const sampling: Rows<RequestRow> = {
  'sampling/createMessage': request(
    createMessageParams(samplingContent),
    createMessageResult(samplingContent),
  ),
};

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
