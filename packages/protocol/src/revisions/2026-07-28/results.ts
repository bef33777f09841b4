import type { NeutralKeys } from '../../codec/neutral-keys.js';
import * as neutral from '../../codec/neutral-keys.js';
import { typedInputs, validItems } from '../../codec/repairs.js';
import type { RequestRow } from '../../codec/revision.js';
import { request } from '../../codec/rows.js';
import {
  aString,
  finished,
  lazily,
  listOf,
  message,
  type ObjectShape,
  type Parts,
  plain,
  type WireShape,
} from '../../codec/shape.js';
import { all, integer, oneOf, type Problem, type WireCheck } from '../../json-rpc/check.js';
import { isObject, type UnknownObject } from '../../json-rpc/json.js';
import { requestMeta, resultMeta } from './content.js';

const unknownType: Problem = { path: 'resultType', message: 'is not a result type that is known here' };

// Checked first: nothing more can be expected of a result of another type.
const isComplete: WireCheck = (value) =>
  isObject(value) && value.resultType !== undefined && value.resultType !== 'complete'
    ? unknownType
    : undefined;

/** A result that ends its request. An absent result type means the same. */
export function completeResult(neutral: NeutralKeys, required: Parts, optional: Parts = {}): WireShape {
  const result = message(neutral, required, { _meta: resultMeta, resultType: aString, ...optional });
  return lazily({
    check: () => all(isComplete, result.check),
    write: () => result.write,
    relax: () => result.relax,
  });
}

// Clients take an absent or negative time to live for 0, so neither is rejected.
const ttlMs: WireShape = {
  check: integer,
  write: (value) => (typeof value === 'number' && value < 0 ? 0 : value),
};

/** Members of a result that may be reused. */
export const cacheMembers: Parts = { ttlMs, cacheScope: plain(oneOf('public', 'private')) };

/** Writes the members a reusable result must have. */
export function hinted(shape: WireShape): WireShape {
  return finished(shape, (written) =>
    written.ttlMs === undefined || written.cacheScope === undefined
      ? { ...written, ttlMs: written.ttlMs ?? 0, cacheScope: written.cacheScope ?? 'private' }
      : written,
  );
}

/** A row with a result that may be reused. */
export function cacheable(
  params: WireShape,
  result: WireShape,
  more: Pick<RequestRow, 'repairs'> = {},
): RequestRow {
  return request(params, hinted(result), { decodeResult: atLeastZero, ...more });
}

/** Wire to neutral: no time to live is below 0. */
export function atLeastZero(result: UnknownObject): UnknownObject {
  return typeof result.ttlMs === 'number' && result.ttlMs < 0 ? { ...result, ttlMs: 0 } : result;
}

const pageParams: ObjectShape = message(neutral.pageParams, {}, { cursor: aString, _meta: requestMeta });

/** A list request: its answer holds one page of items under `member`. */
export function listing(keys: neutral.NeutralKeys, member: string, item: WireShape): RequestRow {
  const members = { ...cacheMembers, nextCursor: aString };
  const result = completeResult(keys, { [member]: listOf(item) }, members);
  return cacheable(pageParams, result, { repairs: [typedInputs, validItems(member, item)] });
}
