import { type Definition, grow, type Union, widen } from '../../codec/shape.js';
import * as before from '../2025-06-18/content.js';
import { resource as resourceBefore, resourceTemplate as templateBefore } from '../2025-06-18/resources.js';
import { icons } from './annotations.js';

export const resource: Definition = grow(resourceBefore, { optional: { icons } });

export const resourceTemplate: Definition = grow(templateBefore, { optional: { icons } });

export const contentBlock: Union = widen(before.contentBlock, { resource_link: before.linkTo(resource) });
