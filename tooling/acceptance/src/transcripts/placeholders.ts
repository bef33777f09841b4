const placeholder = /^<[a-z][a-z-]*>$/;
const inside = /<[a-z][a-z-]*>/g;

/** Values that differ each time: a transcript contains a name such as `<state>` in place of the value. */
export class Placeholders {
  readonly #values: Map<string, unknown>;

  constructor(values?: ReadonlyMap<string, unknown>) {
    this.#values = new Map(values);
  }

  /**
   * Returns a value to send, with names replaced by their values, also inside texts.
   * @throws RangeError if a name has no value yet
   */
  fill(value: unknown): unknown {
    return mapStrings(value, (text) =>
      placeholder.test(text)
        ? this.#valueOf(text)
        : text.replace(inside, (name) => String(this.#valueOf(name))),
    );
  }

  /**
   * Returns an expected value with names replaced by their values; a new name gets the value at the same position in
   * `actual`.
   */
  expect(expected: unknown, actual: unknown): unknown {
    if (typeof expected === 'string' && placeholder.test(expected)) {
      if (!this.#values.has(expected) && actual !== undefined) this.#values.set(expected, actual);
      return this.#values.get(expected);
    }
    if (Array.isArray(expected))
      return expected.map((item, index) => this.expect(item, memberOf(actual, index)));
    if (typeof expected !== 'object' || expected === null) return expected;
    return Object.fromEntries(
      Object.entries(expected).map(([key, item]) => [key, this.expect(item, memberOf(actual, key))]),
    );
  }

  /** Like {@link expect}, but defines no names. */
  guess(expected: unknown, actual: unknown): unknown {
    return new Placeholders(this.#values).expect(expected, actual);
  }

  #valueOf(name: string): unknown {
    if (!this.#values.has(name)) throw new RangeError(`the name ${name} has no value yet`);
    return this.#values.get(name);
  }
}

function memberOf(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string | number, unknown>)[key]
    : undefined;
}

function mapStrings(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item, change)]));
}
