import { between, object, oneOf, token } from '../../check.js';
import { isObject } from '../../json.js';
import { MetaKey } from '../../meta.js';
import { aRecord, aString, type Definition, define, type Kind, listOf, plain, type Write } from '../kind.js';

export const role: Kind = plain(oneOf('user', 'assistant'));

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
export const requestMeta: Kind = {
  check: object({}, { progressToken: token }),
  write: withoutPerRequestKeys,
};

/** `_meta` of results and notification params. */
export const messageMeta: Kind = { check: aRecord.check, write: withoutPerRequestKeys };
