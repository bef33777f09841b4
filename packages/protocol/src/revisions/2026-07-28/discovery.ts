import * as neutral from '../../codec/neutral-keys.js';
import type { RequestRow } from '../../codec/revision.js';
import type { Rows } from '../../codec/rows.js';
import {
  aRecord,
  aString,
  define,
  listOf,
  mapping,
  message,
  type ObjectShape,
  type WireShape,
} from '../../codec/shape.js';
import { serverCapabilities as capabilitiesBefore } from '../2025-03-26/revision.js';
import { requestMeta } from './content.js';
import { cacheable, cacheMembers, completeResult } from './results.js';

const extensions: WireShape = mapping(aRecord);

export const clientCapabilities: ObjectShape = define(
  {},
  {
    experimental: mapping(aRecord),
    extensions,
    roots: define({}),
    sampling: define({}, { context: aRecord, tools: aRecord }),
    elicitation: define({}, { form: aRecord, url: aRecord }),
  },
  ['tasks'],
);

const serverCapabilities = define({}, { ...capabilitiesBefore.optional, extensions }, ['tasks']);

export const discovery: Rows<RequestRow> = {
  'server/discover': cacheable(
    message(neutral.noParams, {}, { _meta: requestMeta }),
    completeResult(
      neutral.discoverResult,
      { supportedVersions: listOf(aString), capabilities: serverCapabilities },
      { ...cacheMembers, instructions: aString },
    ),
  ),
};
