/** A configuration file, a server in one, or a name or value for them that cannot be used. */
export class ConfigError extends Error {
  override readonly name: string = 'ConfigError';
  /** The next step for the user, as one or two sentences. It may name options of the command line `tenon`. */
  readonly hint: string | undefined;

  /** @param message - says what happened, to which server or file. */
  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.hint = options.hint;
  }
}
