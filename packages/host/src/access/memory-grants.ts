import type { JsonObject } from '@tenon/mcp-protocol';
import type { GrantStore } from './grant-store.js';

/** Returns a store that forgets all when the process ends. */
export function memoryGrants(): GrantStore {
  const values = new Map<string, JsonObject>();
  return {
    async read(key) {
      return values.get(key);
    },
    async change(key, update) {
      const value = update(values.get(key));
      if (value === undefined) values.delete(key);
      else values.set(key, value);
      return value;
    },
  };
}
