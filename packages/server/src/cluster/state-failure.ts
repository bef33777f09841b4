import type { StateError, StateFailure } from '@tenon/mcp-state';

/**
 * Returns the reason of a StateError; undefined for any other value. By its name: a server without shared state does not load the
 * class.
 */
export function stateFailureOf(error: unknown): StateFailure | undefined {
  return error instanceof Error && error.name === 'StateError' ? (error as StateError).reason : undefined;
}
