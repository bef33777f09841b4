import {
  aRecord,
  byMember,
  type Definition,
  grow,
  type Parts,
  plain,
  type Union,
  type WireShape,
  widen,
} from '../../codec/shape.js';
import { oneOf } from '../../json-rpc/check.js';
import * as before from '../2024-11-05/content.js';
import * as audio from '../2025-03-26/content.js';
import { annotations } from './annotations.js';
import { resource } from './resources.js';

const gained: Parts = { annotations, _meta: aRecord };

export const textContent: Definition = grow(before.textContent, { optional: gained });
export const imageContent: Definition = grow(before.imageContent, { optional: gained });
export const audioContent: Definition = grow(audio.audioContent, { optional: gained });

export const resourceContents: WireShape = byMember(
  { blob: grow(before.blobResourceContents, { optional: { _meta: aRecord } }) },
  grow(before.textResourceContents, { optional: { _meta: aRecord } }),
);

export const embeddedResource: Definition = grow(before.embeddedResource, {
  required: { resource: resourceContents },
  optional: gained,
});

/** A resource's definition as a block of content. */
export function linkTo(definition: Definition): Definition {
  return grow(definition, { required: { type: plain(oneOf('resource_link')) } });
}

export const contentBlock: Union = widen(audio.contentBlock, {
  text: textContent,
  image: imageContent,
  audio: audioContent,
  resource: embeddedResource,
  resource_link: linkTo(resource),
});
