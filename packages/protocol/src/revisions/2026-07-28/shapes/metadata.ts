import {
  aRecord,
  aString,
  aToken,
  type Definition,
  define,
  listOf,
  openObject,
  type Parts,
  plain,
  type WireShape,
} from '../../../codec/shape.js';
import { between, oneOf } from '../../../json-rpc/check.js';
import { MetaKey } from '../../../json-rpc/meta.js';

export const role: WireShape = plain(oneOf('user', 'assistant'));

export const annotations: Definition = define(
  {},
  { audience: listOf(role), priority: plain(between(0, 1)), lastModified: aString },
);

export const icons: WireShape = listOf(
  define(
    { src: aString },
    { mimeType: aString, sizes: listOf(aString), theme: plain(oneOf('light', 'dark')) },
  ),
);

/** Members that every definition may have beside its name. */
export const definitionMembers: Parts = { title: aString, description: aString, icons, _meta: aRecord };

export const implementation: Definition = define(
  { name: aString, version: aString },
  { title: aString, description: aString, websiteUrl: aString, icons },
);

/** `_meta` of request params; the codec checks the per-request fields in it. */
export const requestMeta: WireShape = openObject({}, { progressToken: aToken });

/** `_meta` of notification params. */
export const noticeMeta: WireShape = openObject({}, { [MetaKey.subscriptionId]: aToken });

/** `_meta` of results. */
export const resultMeta: WireShape = openObject({}, { [MetaKey.serverInfo]: implementation });
