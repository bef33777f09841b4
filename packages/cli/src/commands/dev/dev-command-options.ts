/** The options of `tenon dev`. */
export interface DevCommandOptions {
  readonly stdio?: true;
  readonly port?: number;
  readonly watch?: readonly string[];
  readonly envFile?: string;
  readonly json?: true;
  readonly quiet?: true;
}
