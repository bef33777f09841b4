/**
 * Stores ids that must not be used twice. Every implementation is bounded, and a full one rejects: an id dropped
 * too early could be used again.
 */
export interface ReplayStore {
  /**
   * Stores an id for so many milliseconds.
   * @param owner - the owner of the id.
   * @returns false if the id of the owner is stored already. Rejects if that is unknown, or if the id cannot be stored.
   */
  remember(owner: string, id: string, ttl: number): boolean | Promise<boolean>;
}
