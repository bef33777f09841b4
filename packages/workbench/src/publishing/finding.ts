/** A problem of files that are to be published. */
export interface PublishFinding {
  /** The stable name of the rule. */
  readonly rule: string;
  /** `error`: publishing fails, or the published server does not work. */
  readonly severity: 'error' | 'warning';
  /** The name of the file, such as `server.json`. */
  readonly file: string;
  /** JSON pointer into the file, such as `/packages/0/version`. */
  readonly path?: string;
  readonly message: string;
  /** The change that removes the problem, as a sentence. */
  readonly fix: string;
}
