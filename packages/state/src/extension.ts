/** For authors of extensions: work with a record in the state, which goes on in another process if its own ends. */

export { stateFailureOf } from '@tenon/mcp-protocol/internal';
export {
  type ChangedKey,
  type ChangeTarget,
  change,
  type NextValue,
  type SeenValue,
} from './change/change.js';
export { digestSegment } from './keys.js';
export { HeldLease, type HeldLeaseOptions, leaseTime, renewAfter } from './runs/held-lease.js';
export { LastWrite, type LastWriteTarget, type Outcome, WaitingOutcomes } from './runs/last-write.js';
export { stepIn, withStep } from './runs/run-record.js';
export { type Patience, untilReached } from './runs/until-reached.js';
