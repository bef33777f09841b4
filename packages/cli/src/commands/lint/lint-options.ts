import type { ServerOptions } from '../../server/server-options.js';

/** The options of `tenon lint`. */
export interface LintCommandOptions extends ServerOptions {
  readonly rule?: Readonly<Record<string, string>>;
  readonly limit?: Readonly<Record<string, string>>;
  readonly failOn?: 'error' | 'warning' | 'never';
  readonly format: 'text' | 'json' | 'sarif' | 'github';
  readonly notes?: true;
  readonly costs?: true;
  readonly call?: true;
  readonly calls?: string;
  readonly source?: string;
  readonly rules?: true;
}
