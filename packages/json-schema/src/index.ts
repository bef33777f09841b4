export { checkSchema, schemaLimits } from './checks/check.js';
export { needsInterpreter } from './checks/compiled-cost.js';
export { type Dialect, defaultDialectUri, dialectOf } from './checks/dialect.js';
export { inlineReferences } from './checks/inline.js';
export type { Checked } from './checks/keywords.js';
export {
  acceptedJson,
  type Convertible,
  defaultLibraryBounds,
  isSlow,
  type LibraryBounds,
} from './checks/library.js';
export { withObjectRoot } from './checks/object-root.js';
export { OutOfSteps } from './out-of-steps.js';
export {
  type BoundedPattern,
  boundedPattern,
  NotEcmaScript,
  type PatternWork,
  patternCost,
} from './patterns/cost.js';
export { stoppedProblem } from './stopped.js';
