/** The type of a value after a round trip through JSON: dates are strings, and functions are removed. */
export type Jsonified<T> = unknown extends T
  ? T
  : T extends { toJSON(): infer Json }
    ? Json
    : T extends string | number | boolean | null | undefined
      ? T
      : T extends (...parameters: never[]) => unknown
        ? never
        : T extends object
          ? { [Key in keyof T]: Jsonified<T[Key]> }
          : undefined;
