import type { JsonObject } from '@tenon/mcp-protocol';
import type { NextValue } from '@tenon/mcp-state/internal';
import { AuthError } from '../auth-error.js';
import type { AuthStore, StoredEntry } from './auth-store.js';

/** An entry of a store that is going to be changed. */
export interface ChangedEntry {
  readonly store: Pick<AuthStore, 'get' | 'swap'>;
  readonly key: string;
  /** The entry as it was read before, in place of the first read. Default: it is read. */
  readonly known?: StoredEntry;
}

/**
 * Changes an entry, on top of what other processes have written.
 * @returns the value after this change. Rejects with what `next` throws.
 * @throws AuthError `storage` if others change the entry all the time; the error of the store.
 */
export async function changeEntry(
  { store, key, known }: ChangedEntry,
  next: NextValue<JsonObject>,
): Promise<JsonObject | undefined> {
  const { ConflictError, change, swapTarget } = await import('./change.js');
  const seen = known && { last: { value: JSON.stringify(known.value), version: known.version } };
  // The store has bounds of its own.
  const to = { kv: swapTarget(store), key, size: Number.POSITIVE_INFINITY, ...(seen && { seen }) };
  try {
    return await change<JsonObject>(to, next);
  } catch (cause) {
    const message = 'The store changed during every attempt to write to it: try again later.';
    throw cause instanceof ConflictError ? new AuthError('storage', message, { cause }) : cause;
  }
}
