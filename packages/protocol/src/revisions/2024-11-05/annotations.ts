import {
  aRecord,
  aString,
  aToken,
  type Definition,
  define,
  listOf,
  openObject,
  plain,
  type WireShape,
  type Write,
} from '../../codec/shape.js';
import { between, oneOf } from '../../json-rpc/check.js';
import { isObject } from '../../json-rpc/json.js';
import { MetaKey } from '../../json-rpc/meta.js';

export const role: WireShape = plain(oneOf('user', 'assistant'));

export const annotations: Definition = define({}, { audience: listOf(role), priority: plain(between(0, 1)) });

export const implementation: Definition = define({ name: aString, version: aString });

const perRequestKeys: ReadonlySet<string> = new Set(Object.values(MetaKey));

const withoutPerRequestKeys: Write = (value) => {
  if (!isObject(value)) return value;
  const keys = Object.keys(value);
  if (!keys.some((key) => perRequestKeys.has(key))) return value;
  const kept = Object.entries(value).filter(([key]) => !perRequestKeys.has(key));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
};

/** `_meta` of request params. */
export const requestMeta: WireShape = openObject({}, { progressToken: aToken }, withoutPerRequestKeys);

/** `_meta` of results and notification params. */
export const messageMeta: WireShape = { ...aRecord, write: withoutPerRequestKeys };
