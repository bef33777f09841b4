/** For authors of adapters: the checks and limits that every adapter has in common. */

export { Delivery } from './delivery.js';
export {
  byteLength,
  fenced,
  fenceLifetime,
  groupOf,
  requireFenceOf,
  requireKey,
  requireLeaseName,
  requireTopic,
  requireTtl,
  requireValue,
} from './keys.js';
export { joinProcesses } from './processes/processes.js';
export { StatusSource } from './status-source.js';
