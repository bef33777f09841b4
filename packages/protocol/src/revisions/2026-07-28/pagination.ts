import type { RequestRow } from '../../revision.js';
import { aString, type Definition, type Kind, listOf, message } from '../kind.js';
import * as neutral from '../neutral-keys.js';
import { validItems } from '../repairs.js';
import { requestMeta } from './metadata.js';
import { cacheable, cacheMembers, completeResult } from './results.js';

const pageParams: Definition = message(neutral.pageParams, {}, { cursor: aString, _meta: requestMeta });

/** A list request: its answer holds one page of items under `member`. */
export function listing(keys: neutral.NeutralKeys, member: string, item: Kind): RequestRow {
  const members = { ...cacheMembers, nextCursor: aString };
  const result = completeResult(keys, { [member]: listOf(item) }, members);
  return cacheable(pageParams, result, { repairs: [validItems(member, item)] });
}
