import type { Target } from '@tenon/mcp-client';

/** The address of a misbehaving server. */
export interface Place {
  readonly target: Target;
  /** Returns the resources the client should have released, such as processes. */
  remains(): Promise<readonly string[]>;
  close(): Promise<void>;
}
