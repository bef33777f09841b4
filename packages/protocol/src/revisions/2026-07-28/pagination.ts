import * as neutral from '../../codec/neutral-keys.js';
import { typedInputs, validItems } from '../../codec/repairs.js';
import type { RequestRow } from '../../codec/revision.js';
import { aString, type Definition, listOf, message, type WireShape } from '../../codec/shape.js';
import { cacheable, cacheMembers, completeResult } from './results.js';
import { requestMeta } from './shapes/metadata.js';

const pageParams: Definition = message(neutral.pageParams, {}, { cursor: aString, _meta: requestMeta });

/** A list request: its answer holds one page of items under `member`. */
export function listing(keys: neutral.NeutralKeys, member: string, item: WireShape): RequestRow {
  const members = { ...cacheMembers, nextCursor: aString };
  const result = completeResult(keys, { [member]: listOf(item) }, members);
  return cacheable(pageParams, result, { repairs: [typedInputs, validItems(member, item)] });
}
