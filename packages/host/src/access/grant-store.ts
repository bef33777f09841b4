import type { JsonObject } from '@tenon/mcp-protocol';

/** Stores the answers of users, and digests of the tools that they know. Keys are any text. */
export interface GrantStore {
  /**
   * Replaces a value by what `update` returns for it, undefined to delete it, while no other user of the store does the same. `update` may be called
   * again with a newer value. Rejects if the value cannot be stored.
   * @returns the new value.
   */
  change(
    key: string,
    update: (value: JsonObject | undefined) => JsonObject | undefined,
  ): Promise<JsonObject | undefined>;
  read(key: string): Promise<JsonObject | undefined>;
}
