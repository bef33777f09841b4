import type { JsonObject } from '@tenon/mcp-protocol';

/**
 * A store for small documents of a host: the answers of users that the host remembers, and the digests of tool definitions. A key is
 * any text, such as one of a user and a server. Documents must not be changed in place.
 */
export interface GrantStore {
  /**
   * Replaces the document of a key by the result of a function, which gets the present one; undefined deletes it. No change of another
   * user of the store comes between. The function may be called again.
   * @returns the new document.
   * @throws the error of the store, which then has the old document; the error of the function.
   */
  change(
    key: string,
    update: (value: JsonObject | undefined) => JsonObject | undefined,
  ): Promise<JsonObject | undefined>;
  /** Returns the document of a key; undefined if there is none. It is read for each request: one that is in memory is best returned at once. */
  read(key: string): JsonObject | undefined | Promise<JsonObject | undefined>;
}
