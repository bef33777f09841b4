/** For authors of adapters: the checks and limits that every adapter has in common. */
export { joinCluster } from './cluster/cluster-node.js';
export { Delivery } from './delivery.js';
export { fenced, fenceLifetime, requireFenceOf } from './fence.js';
export {
  byteLength,
  groupOf,
  requireKey,
  requireLeaseName,
  requireTopic,
  requireTtl,
  requireValue,
} from './keys.js';
export { StatusSource } from './status-source.js';
