export { type ConnectTestOptions, connectTest, type TestConnection } from './connect-test.js';
export { everyRevision } from './every-revision.js';
export { FakeClock, settled } from './fake-clock.js';
export type {
  FaultKind,
  FaultPlan,
  LaneFaults,
  LaneName,
  PassingFrame,
  Strike,
  When,
} from './fault-plan.js';
export { faulty, type Troubled } from './faulty.js';
export type { Speaker, WireFrame } from './tapped-connection.js';
