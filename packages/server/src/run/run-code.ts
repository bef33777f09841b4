export { DetachedRun } from './detached-run.js';
export { liveInputs } from './live-input.js';
export { roundOf, runRounds } from './rounds.js';
