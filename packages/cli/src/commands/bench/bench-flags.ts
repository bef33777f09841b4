import type { ServerOptions } from '../../server/server-options.js';

/** The options of `tenon bench`. */
export interface BenchFlags extends ServerOptions {
  readonly args?: string;
  readonly calls?: string;
  readonly connections?: number;
  readonly concurrency?: number;
  /** In seconds. */
  readonly duration?: number;
  readonly requests?: number;
  readonly warmup?: number;
  readonly rate?: number;
  readonly compare?: string;
  readonly iOwnThisServer?: true;
}
