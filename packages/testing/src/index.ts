export { type ConnectTestOptions, connectTest, type TestConnection } from './connect-test.js';
export type { Speaker, WireFrame } from './connections/tapped-connection.js';
export { everyRevision } from './every-revision.js';
export { FakeClock, settled } from './fake-clock.js';
export { faulty, type Troubled } from './faults/faulty.js';
export type {
  FaultKind,
  FaultPlan,
  LaneFaults,
  LaneName,
  PassingFrame,
  Strike,
  When,
} from './faults/plan.js';
