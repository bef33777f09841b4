export { checkSchema } from './checks/check.js';
export { needsInterpreter } from './checks/compiled-cost.js';
export { inlineReferences } from './checks/inline.js';
export { type Checked, type Dialect, defaultDialectUri, dialectOf } from './checks/keywords.js';
export {
  acceptedJson,
  type Convertible,
  defaultLibraryBounds,
  isSlow,
  type LibraryBounds,
} from './checks/library.js';
export { withObjectRoot } from './checks/object-root.js';
export {
  type BoundedPattern,
  boundedPattern,
  NotEcmaScript,
  type PatternWork,
  patternCost,
} from './patterns/cost.js';

/** Thrown by a check that would take more steps than allowed. */
export class OutOfSteps extends Error {
  override readonly name = 'OutOfSteps';

  constructor() {
    super('checking a value took too many steps');
  }
}

/** Returns the problem of a value after its check was stopped by its limit or by the engine. Rethrows all other errors. */
export function stoppedProblem(error: unknown): string {
  if (error instanceof OutOfSteps) return 'the value takes too long to check; send less of it';
  if (isStackOverflow(error)) return 'the value is nested too deeply';
  throw error;
}

/** True for the error of an engine with an exhausted stack. */
function isStackOverflow(error: unknown): boolean {
  return error instanceof Error && /call stack size exceeded|too much recursion/.test(error.message);
}
