/** A state that was opened. */
export interface Opened {
  readonly state: unknown;
  /** An id that is unique for each sealed text. */
  readonly id: string;
  /** Milliseconds until it expires. */
  readonly ttl: number;
}

/** Seals data that the client stores, so that the client can neither read, change nor transplant it. */
export interface Sealer {
  /**
   * @param binding - the owner of the state; it opens only with the same binding.
   * @throws RangeError if the sealed text would be too long; RpcError overloaded if the keys cannot be read.
   */
  seal(state: unknown, binding: string): Promise<string>;
  /** @throws RpcError invalid params if the text was not sealed with a key of the ring for this binding, or has expired; overloaded if the keys cannot be read. */
  open(text: unknown, binding: string): Promise<Opened>;
  /** Adds a new first key to those that processes share. */
  rotate(): Promise<void>;
}
