import { type Definition, grow } from '../../codec/shape.js';
import * as before from '../2024-11-05/resources.js';
import { annotations, titled } from './annotations.js';

export const resource: Definition = grow(before.resource, { optional: { ...titled, annotations } });

export const resourceTemplate: Definition = grow(before.resourceTemplate, {
  optional: { ...titled, annotations },
});
