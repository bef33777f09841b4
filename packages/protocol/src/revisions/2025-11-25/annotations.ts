import { oneOf } from '../../check.js';
import * as before from '../2025-06-18/annotations.js';
import { aString, type Definition, define, grow, type Kind, listOf, plain } from '../kind.js';

export const icons: Kind = listOf(
  define(
    { src: aString },
    { mimeType: aString, sizes: listOf(aString), theme: plain(oneOf('light', 'dark')) },
  ),
);

export const implementation: Definition = grow(before.implementation, {
  optional: { icons, description: aString, websiteUrl: aString },
});
