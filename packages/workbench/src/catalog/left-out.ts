/** Collects the entries of lists that the client leaves out, with the reasons. */
export class LeftOut {
  readonly #reasons: string[] = [];

  /** Sentences, each about one list or one tool; at most 64. */
  get reasons(): readonly string[] {
    return this.#reasons;
  }

  /** Receives the errors that no call of the client rejects with: its option `onError`. */
  readonly onError = (error: unknown): void => {
    const [sentence] =
      /(?:Left out of |The tool "(?:[^"\\]|\\.)*" is left out: ).*$/su.exec(messageOf(error)) ?? [];
    if (sentence !== undefined && this.#reasons.length < mostReasons) this.#reasons.push(sentence);
  };
}

const mostReasons = 64;

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
