export { DetachedRun } from './detached-run.js';
export { Inputs } from './inputs.js';
export { LiveInput } from './live-input.js';
export { roundOf, runRounds } from './rounds.js';
