import * as neutral from '../../codec/neutral-keys.js';
import type { RequestRow } from '../../codec/revision.js';
import type { Rows } from '../../codec/rows.js';
import { aString, listOf, message } from '../../codec/shape.js';
import { cacheable, cacheMembers, completeResult } from './results.js';
import { serverCapabilities } from './shapes/capabilities.js';
import { requestMeta } from './shapes/metadata.js';

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
