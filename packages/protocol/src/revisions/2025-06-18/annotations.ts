import { aRecord, aString, type Definition, grow, type Parts } from '../../codec/shape.js';
import * as before from '../2024-11-05/annotations.js';

export const annotations: Definition = grow(before.annotations, { optional: { lastModified: aString } });

export const implementation: Definition = grow(before.implementation, { optional: { title: aString } });

/** New members of definitions: a title, and metadata. */
export const titled: Parts = { title: aString, _meta: aRecord };
