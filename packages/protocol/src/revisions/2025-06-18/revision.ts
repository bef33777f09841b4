import type { RequestRow, Revision, Rules } from '../../codec/revision.js';
import { type Rows, request, type Tables, tabulated } from '../../codec/rows.js';
import {
  aRecord,
  aString,
  define,
  grow,
  mapping,
  type ObjectShape,
  type Union,
  type WireShape,
  widen,
} from '../../codec/shape.js';
import { isObject } from '../../json-rpc/json.js';
import { root, rootRequests, samplingRequest } from '../2024-11-05/client-features.js';
import {
  completeParams,
  completeResult,
  promptReference,
  reference as referenceBefore,
} from '../2024-11-05/completion.js';
import { clientCapabilities as capabilitiesBefore, initializeRequest } from '../2024-11-05/lifecycle.js';
import { promptRequests } from '../2024-11-05/prompts.js';
import { resourceRequests } from '../2024-11-05/resources.js';
import * as before from '../2025-03-26/revision.js';
import {
  audioContent,
  contentBlock,
  imageContent,
  implementation,
  prompt,
  resource,
  resourceContents,
  resourceTemplate,
  textContent,
} from './content.js';
import { elicitation } from './elicitation.js';
import { tools } from './tools.js';

/** This revision has forms only: a client that only opens pages does not elicit here. */
const formsOnly: WireShape = {
  ...aRecord,
  write: (value) => {
    if (!isObject(value)) return value;
    return value.url !== undefined && value.form === undefined ? undefined : {};
  },
};

export const clientCapabilities: ObjectShape = grow(capabilitiesBefore, {
  optional: { elicitation: formsOnly },
});

export const reference: Union = widen(referenceBefore, {
  'ref/prompt': grow(promptReference, { optional: { title: aString } }),
});

const context = define({}, { arguments: mapping(aString) });

export const samplingContent: Union = widen(before.samplingContent, {
  text: textContent,
  image: imageContent,
  audio: audioContent,
});

const inputRequests: Rows<RequestRow> = {
  ...before.tables.inputRequests,
  ...rootRequests(grow(root, { optional: { _meta: aRecord } })),
  ...samplingRequest(samplingContent),
  ...elicitation,
};

/** Exported for later revisions, which extend it. */
export const tables: Tables = {
  ...before.tables,
  clientRequests: {
    ...before.tables.clientRequests,
    ...initializeRequest({
      clientCapabilities,
      serverCapabilities: before.serverCapabilities,
      implementation,
    }),
    ...tools,
    ...resourceRequests({ resource, resourceTemplate, resourceContents }),
    ...promptRequests({ prompt, contentBlock }),
    'completion/complete': request(
      grow(completeParams, { required: { ref: reference }, optional: { context } }),
      completeResult,
    ),
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
