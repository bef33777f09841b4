export { DetachedRun } from './detached-run.js';
export { liveInputs } from './live-input.js';
export { carriedBy, roundOf, runRounds } from './rounds.js';
