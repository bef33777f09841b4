/** For authors of adapters: the checks and limits that every adapter has in common. */
export { joinCluster } from './cluster/cluster-node.js';
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
export { StatusSource } from './status-source.js';
