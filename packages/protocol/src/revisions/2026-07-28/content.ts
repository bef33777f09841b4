import {
  anInteger,
  aRecord,
  aString,
  aToken,
  byMember,
  type Definition,
  define,
  listOf,
  openObject,
  type Parts,
  plain,
  type Union,
  union,
  type WireShape,
} from '../../codec/shape.js';
import { between, oneOf } from '../../json-rpc/check.js';
import { MetaKey } from '../../json-rpc/meta.js';

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
export const notificationMeta: WireShape = openObject({}, { [MetaKey.subscriptionId]: aToken });

/** `_meta` of results. */
export const resultMeta: WireShape = openObject({}, { [MetaKey.serverInfo]: implementation });

const marks: Parts = { annotations, _meta: aRecord };

const textContent = define({ type: plain(oneOf('text')), text: aString }, marks);

const imageContent = define({ type: plain(oneOf('image')), data: aString, mimeType: aString }, marks);

const audioContent = define({ type: plain(oneOf('audio')), data: aString, mimeType: aString }, marks);

const contentsMembers: Parts = { mimeType: aString, _meta: aRecord };

export const resourceContents: WireShape = byMember(
  { blob: define({ uri: aString, blob: aString }, contentsMembers) },
  define({ uri: aString, text: aString }, contentsMembers),
);

const resourceMembers: Parts = { ...definitionMembers, mimeType: aString, size: anInteger, annotations };

export const resource: Definition = define({ uri: aString, name: aString }, resourceMembers);

const resourceLink = define(
  { type: plain(oneOf('resource_link')), uri: aString, name: aString },
  resourceMembers,
);

const embeddedResource = define({ type: plain(oneOf('resource')), resource: resourceContents }, marks);

/** Content of models and users. */
export const mediaContent: Parts = { text: textContent, image: imageContent, audio: audioContent };

export const contentBlock: Union = union('type', {
  ...mediaContent,
  resource: embeddedResource,
  resource_link: resourceLink,
});
