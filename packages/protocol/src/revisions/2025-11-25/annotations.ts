import { aString, type Definition, define, grow, listOf, plain, type WireShape } from '../../codec/shape.js';
import { oneOf } from '../../json-rpc/check.js';
import * as before from '../2025-06-18/annotations.js';

export const icons: WireShape = listOf(
  define(
    { src: aString },
    { mimeType: aString, sizes: listOf(aString), theme: plain(oneOf('light', 'dark')) },
  ),
);

export const implementation: Definition = grow(before.implementation, {
  optional: { icons, description: aString, websiteUrl: aString },
});
