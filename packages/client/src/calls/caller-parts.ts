import type { Clock } from '@tenon/foundation';
import type { Middleware } from '@tenon/mcp-session';
import type { Caching } from '../cache/caching.js';
import type { Elicitation } from '../features/elicitation.js';
import type { Rounds } from '../input/input-rounds.js';
import type { IconFilter } from '../ui/icons.js';
import type { RepeatableTools } from './retry.js';
import type { ToolHeaders } from './tool-headers.js';
import type { CallPreparation, OpenResults } from './whole-call.js';

/** The dependencies of calls, besides a session. */
export interface CallerParts {
  readonly clock: Clock;
  /** Milliseconds allowed for a call without the option `total`. */
  readonly total: number;
  /** The controllers that stop the running calls; the reason is the error of the call. */
  readonly running: Set<AbortController>;
  readonly rounds: Rounds;
  /** Undefined for a client without middleware. */
  readonly middleware: readonly Middleware[] | undefined;
  readonly elicitation: Elicitation | undefined;
  /** Undefined for a client without extensions. */
  readonly results: OpenResults | undefined;
  /** Undefined if no extension changes the params of tool calls. */
  readonly preparation: CallPreparation | undefined;
  readonly toolHeaders: ToolHeaders;
  readonly repeatableTools: RepeatableTools;
  /** Undefined without a cache. */
  readonly caching: Caching | undefined;
  readonly icons: IconFilter;
}
