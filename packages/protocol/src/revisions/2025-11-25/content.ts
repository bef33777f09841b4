import {
  aString,
  define,
  grow,
  listOf,
  type ObjectShape,
  plain,
  type Union,
  type WireShape,
  widen,
} from '../../codec/shape.js';
import { oneOf } from '../../json-rpc/check.js';
import * as before from '../2025-06-18/content.js';

export const icons: WireShape = listOf(
  define(
    { src: aString },
    { mimeType: aString, sizes: listOf(aString), theme: plain(oneOf('light', 'dark')) },
  ),
);

export const implementation: ObjectShape = grow(before.implementation, {
  optional: { icons, description: aString, websiteUrl: aString },
});

export const resource: ObjectShape = grow(before.resource, { optional: { icons } });

export const resourceTemplate: ObjectShape = grow(before.resourceTemplate, { optional: { icons } });

export const prompt: ObjectShape = grow(before.prompt, { optional: { icons } });

export const contentBlock: Union = widen(before.contentBlock, { resource_link: before.linkTo(resource) });
