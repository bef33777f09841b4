import { WorkbenchError } from '../failures/workbench-error.js';

/** Returns the value of a function that reads or writes a recording. @throws WorkbenchError `usage` if the function throws */
export function withFile<T>(file: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    throw failureOfFile(file, cause);
  }
}

/** Returns the error of a recording that cannot be used. */
export function failureOfFile(file: string, cause: unknown): WorkbenchError {
  if (cause instanceof WorkbenchError) return cause;
  if (cause instanceof SyntaxError)
    return new WorkbenchError('usage', `${file} is not a recording that can be used: ${cause.message}`, {
      cause,
    });
  const { code, message } = cause as NodeJS.ErrnoException;
  const reason = code === 'ENOENT' ? 'does not exist' : `cannot be used: ${message}`;
  return new WorkbenchError('usage', `${file} ${reason}.`.replace(/\.\.$/, '.'), { cause });
}
