import { optionRules, requireOptions } from '@tenon/foundation';
import type { JsonObject } from '@tenon/mcp-protocol';
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
  const documents = new Map<string, JsonObject>();
  return {
    async change(key, update) {
      const value = update(documents.get(key));
      if (value === undefined) {
        documents.delete(key);
        return undefined;
      }
      if (!documents.has(key) && documents.size >= entries)
        throw new RangeError(
          `memoryGrants() has ${entries} documents: nothing was remembered. Raise the option entries.`,
        );
      documents.set(key, value);
      return value;
    },
    read(key) {
      return documents.get(key);
    },
  };
}
