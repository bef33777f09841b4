import { optionRules, requireOptions } from '@tenon/foundation';
import type { GrantStore } from './grant-store.js';

/** Options of {@link memoryGrants}. */
export interface MemoryGrantsOptions {
  /** Documents, at most; 10,000 by default. One more is an error, because a refusal that is forgotten would be an allowance. */
  readonly entries?: number;
}

/**
 * Returns a store in memory, until the process ends.
 * @throws TypeError or RangeError if an option is invalid. Its `change` throws a RangeError past the bound.
 */
export function memoryGrants(options: MemoryGrantsOptions = {}): GrantStore {
  requireOptions('memoryGrants()', options, { entries: optionRules.positive });
  const { entries = 10_000 } = options;
  // As text, so that no caller changes a document in place.
  const documents = new Map<string, string>();
  return {
    async change(key, update) {
      const before = documents.get(key);
      const value = update(before === undefined ? undefined : JSON.parse(before));
      if (value === undefined) {
        documents.delete(key);
        return undefined;
      }
      if (before === undefined && documents.size >= entries)
        throw new RangeError(
          `memoryGrants() has ${entries} documents: nothing was remembered. Raise the option entries.`,
        );
      const text = JSON.stringify(value);
      documents.set(key, text);
      return JSON.parse(text);
    },
    async read(key) {
      const text = documents.get(key);
      return text === undefined ? undefined : JSON.parse(text);
    },
  };
}
