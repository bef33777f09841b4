import type { Meta } from './annotations.js';

/** Names the request a progress notification belongs to. */
export type ProgressToken = string | number;

export interface ProgressParams {
  readonly progressToken: ProgressToken;
  /** Must grow with each notification. */
  readonly progress: number;
  readonly total?: number;
  /** 2025-03-26 and later. */
  readonly message?: string;
  readonly _meta?: Meta;
}
