// Shared between the packages of Tenon only: not documented, and not covered by semantic versioning.

export { realDelay, within } from '../framing/framing-options.js';
export { type BrokenLine, LineReader } from '../framing/line-reader.js';
export { type Child, type Launch, launch } from './child.js';
export { type ChildExit, childFailure } from './child-failure.js';
export { endWithThisProcess, type ProcessGroup, processGroup } from './process-group.js';
export { type Reapable, reapLeader, reapSurvivors } from './reaping.js';
