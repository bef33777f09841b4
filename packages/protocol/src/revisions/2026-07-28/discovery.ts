import type { RequestRow } from '../../revision.js';
import { aString, listOf, message } from '../kind.js';
import * as neutral from '../neutral-keys.js';
import type { Rows } from '../rows.js';
import { serverCapabilities } from './capabilities.js';
import { requestMeta } from './metadata.js';
import { cacheable, cacheMembers, completeResult } from './results.js';

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
