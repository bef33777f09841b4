import {
  aRecord,
  aString,
  aToken,
  openObject,
  type Parts,
  type Union,
  union,
  type WireShape,
} from '../../codec/shape.js';
import { MetaKey } from '../../json-rpc/meta.js';
import { audioContent, embeddedResource, imageContent, linkTo, textContent } from '../2025-06-18/content.js';
import { icons, implementation, resource } from '../2025-11-25/content.js';

/** Members that every definition may have beside its name. */
export const definitionMembers: Parts = { title: aString, description: aString, icons, _meta: aRecord };

/** `_meta` of request params; the codec checks the per-request fields in it. */
export const requestMeta: WireShape = openObject({}, { progressToken: aToken });

/** `_meta` of notification params. */
export const notificationMeta: WireShape = openObject({}, { [MetaKey.subscriptionId]: aToken });

/** `_meta` of results. */
export const resultMeta: WireShape = openObject({}, { [MetaKey.serverInfo]: implementation });

/** Content of models and users. */
export const mediaContent: Parts = { text: textContent, image: imageContent, audio: audioContent };

export const contentBlock: Union = union('type', {
  ...mediaContent,
  resource: embeddedResource,
  resource_link: linkTo(resource),
});
