/** A state that was opened. */
export interface Opened {
  readonly state: unknown;
  /** Differs from that of every other sealed text. */
  readonly id: string;
  /** Milliseconds it can still be opened for. */
  readonly ttl: number;
}

/** Seals what travels through the client, so that it can neither read, alter nor transplant it. */
export interface Sealer {
  /**
   * @param binding - what the state belongs to; it opens with the same binding only.
   * @throws RangeError when the sealed text would be too long.
   */
  seal(state: unknown, binding: string): Promise<string>;
  /** @throws RpcError invalid params for text that was not sealed with a key of the ring for this binding, or has expired. */
  open(text: unknown, binding: string): Promise<Opened>;
}
