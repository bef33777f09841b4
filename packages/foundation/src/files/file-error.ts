/** The error of a file that cannot be used: its folder is missing, the disk is full, or other users have access. The cause says why. */
export class FileError extends Error {
  override readonly name: string = 'FileError';
}

/** Returns the error for a message that says what to do. */
export type FileErrorOf = (message: string, cause?: unknown) => Error;

/** Returns a {@link FileError}. */
export const fileError: FileErrorOf = (message, cause) =>
  new FileError(message, cause === undefined ? {} : { cause });

/** Returns the code of a system error, such as `ENOENT`. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error';
}
