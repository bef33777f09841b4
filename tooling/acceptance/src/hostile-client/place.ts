import type { Target } from '@tenon/mcp-client';

/** Where a liar is reached. */
export interface Place {
  readonly target: Target;
  /** What is still there of it that the client should have ended. */
  remains(): Promise<readonly string[]>;
  close(): Promise<void>;
}
