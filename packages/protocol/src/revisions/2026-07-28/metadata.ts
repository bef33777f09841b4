import { between, object, oneOf, token } from '../../check.js';
import { MetaKey } from '../../meta.js';
import {
  aRecord,
  aString,
  type Definition,
  define,
  type Kind,
  lazily,
  listOf,
  type Parts,
  plain,
  same,
} from '../kind.js';

export const role: Kind = plain(oneOf('user', 'assistant'));

export const annotations: Definition = define(
  {},
  { audience: listOf(role), priority: plain(between(0, 1)), lastModified: aString },
);

export const icons: Kind = listOf(
  define(
    { src: aString },
    { mimeType: aString, sizes: listOf(aString), theme: plain(oneOf('light', 'dark')) },
  ),
);

/** What every definition may have beside its name. */
export const definitionMembers: Parts = { title: aString, description: aString, icons, _meta: aRecord };

export const implementation: Definition = define(
  { name: aString, version: aString },
  { title: aString, description: aString, websiteUrl: aString, icons },
);

/** `_meta` of request params; what every request must say there is the codec's to look at. */
export const requestMeta: Kind = plain(object({}, { progressToken: token }));

/** `_meta` of notification params. */
export const noticeMeta: Kind = plain(object({}, { [MetaKey.subscriptionId]: token }));

/** `_meta` of results. */
export const resultMeta: Kind = lazily(
  () => object({}, { [MetaKey.serverInfo]: implementation.check }),
  () => same,
);
