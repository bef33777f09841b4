import type { InputOptions } from '../../input/input-source.js';
import type { ServerOptions } from '../../server/server-options.js';
import type { ServerLine } from '../../server/with-client.js';
import type { ResultOptions } from '../call/print-result.js';

/** The options of the commands of `tenon tasks`. */
export interface TaskOptions extends ServerOptions, InputOptions, ResultOptions {
  /** The id of the task, for ids that the parser would take for an option. */
  readonly id?: string;
  readonly cancelOnInterrupt?: true;
  /** The answer to one input request, as JSON. */
  readonly accept?: string;
  readonly decline?: true;
  readonly cancel?: true;
  /** The key of the input request. */
  readonly key?: string;
}

/** The line of a command of `tenon tasks`. */
export interface TaskLine extends ServerLine {
  readonly options: TaskOptions;
}
