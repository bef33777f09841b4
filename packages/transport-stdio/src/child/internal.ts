// Shared between the packages of Tenon only: not documented, and not covered by semantic versioning.

export { type Child, type Launch, launch } from './child.js';
export { endWithThisProcess, processGroup } from './process-group.js';
export { type Reapable, reapLeader, reapSurvivors } from './reaping.js';
