/** The options of `tenon conformance`. */
export interface ConformanceFlags {
  readonly suite?: string;
  readonly scenario?: string;
  readonly requirements?: string;
  readonly revision?: string;
  readonly expectedFailures?: string;
  readonly strict?: true;
  readonly output?: string;
  readonly node?: string;
  readonly suiteVersion?: string;
  /** False with `--no-download`. */
  readonly download: boolean;
  readonly config?: string;
  /** In seconds. */
  readonly timeout?: number;
  readonly json?: true;
}
