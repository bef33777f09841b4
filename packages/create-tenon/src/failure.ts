/** An error that the program prints without a stack. */
export class CreateError extends Error {
  override readonly name = 'CreateError';
  /** Advice for the user. */
  readonly hint: string | undefined;

  constructor(message: string, { hint, cause }: { readonly hint?: string; readonly cause?: unknown } = {}) {
    super(message, { cause });
    this.hint = hint;
  }
}

/** The user pressed Ctrl+C before anything was written. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}
