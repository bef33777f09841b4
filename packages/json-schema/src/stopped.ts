import { OutOfSteps } from './out-of-steps.js';

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
