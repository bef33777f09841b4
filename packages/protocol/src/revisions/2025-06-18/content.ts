import {
  aRecord,
  aString,
  byMember,
  grow,
  listOf,
  type ObjectShape,
  type Parts,
  plain,
  type Union,
  type WireShape,
  widen,
} from '../../codec/shape.js';
import { oneOf } from '../../json-rpc/check.js';
import * as before from '../2024-11-05/content.js';
import { promptArgument as argumentBefore, prompt as promptBefore } from '../2024-11-05/prompts.js';
import { resource as resourceBefore, resourceTemplate as templateBefore } from '../2024-11-05/resources.js';
import * as audio from '../2025-03-26/revision.js';

export const annotations: ObjectShape = grow(before.annotations, { optional: { lastModified: aString } });

export const implementation: ObjectShape = grow(before.implementation, { optional: { title: aString } });

/** New members of definitions: a title, and metadata. */
export const titled: Parts = { title: aString, _meta: aRecord };

export const resource: ObjectShape = grow(resourceBefore, { optional: { ...titled, annotations } });

export const resourceTemplate: ObjectShape = grow(templateBefore, {
  optional: { ...titled, annotations },
});

const gained: Parts = { annotations, _meta: aRecord };

export const textContent: ObjectShape = grow(before.textContent, { optional: gained });
export const imageContent: ObjectShape = grow(before.imageContent, { optional: gained });
export const audioContent: ObjectShape = grow(audio.audioContent, { optional: gained });

export const resourceContents: WireShape = byMember(
  { blob: grow(before.blobResourceContents, { optional: { _meta: aRecord } }) },
  grow(before.textResourceContents, { optional: { _meta: aRecord } }),
);

export const embeddedResource: ObjectShape = grow(before.embeddedResource, {
  required: { resource: resourceContents },
  optional: gained,
});

/** A resource's definition as a block of content. */
export function linkTo(definition: ObjectShape): ObjectShape {
  return grow(definition, { required: { type: plain(oneOf('resource_link')) } });
}

export const contentBlock: Union = widen(audio.contentBlock, {
  text: textContent,
  image: imageContent,
  audio: audioContent,
  resource: embeddedResource,
  resource_link: linkTo(resource),
});

const promptArgument = grow(argumentBefore, { optional: { title: aString } });

export const prompt: ObjectShape = grow(promptBefore, {
  optional: { ...titled, arguments: listOf(promptArgument) },
});
