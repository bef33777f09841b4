import type { JsonObject } from '@tenon/mcp-protocol';
import type { GrantStore } from './grant-store.js';

/** Documents. One more is an error, because a refusal that is forgotten would be an allowance. */
const mostDocuments = 10_000;

/** Returns a store in memory, until the process ends. Its `change` throws a RangeError for more than 10,000 documents. */
export function memoryGrants(): GrantStore {
  const documents = new Map<string, JsonObject>();
  return {
    async change(key, update) {
      const value = update(documents.get(key));
      if (value === undefined) {
        documents.delete(key);
        return undefined;
      }
      if (!documents.has(key) && documents.size >= mostDocuments)
        throw new RangeError(`memoryGrants() has ${mostDocuments} documents: nothing was remembered.`);
      documents.set(key, value);
      return value;
    },
    read(key) {
      return documents.get(key);
    },
  };
}
