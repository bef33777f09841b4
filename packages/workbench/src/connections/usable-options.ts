import { findRevision, revisions } from '@tenon/mcp-protocol';
import { WorkbenchError } from '../failures/workbench-error.js';

/** @throws WorkbenchError `usage` if a revision is named that is not published. */
export function requireRevision(revision: string | undefined): void {
  if (revision === undefined || findRevision(revision) !== undefined) return;
  throw new WorkbenchError('usage', `"${revision}" is no revision of the protocol.`, {
    hint: `There are ${revisions.map(({ id }) => id).join(', ')}.`,
  });
}

/**
 * Returns the value of a function that checks a URL, headers or other options before anything is sent.
 * @throws WorkbenchError `usage` if it rejects them.
 */
export function withOptionsOf<T>(use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw error instanceof TypeError || error instanceof RangeError ? wrongUse(error) : error;
  }
}

function wrongUse(error: Error): WorkbenchError {
  return new WorkbenchError('usage', error.message, { cause: error });
}
