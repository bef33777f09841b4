/** What a value is after it has been JSON: dates are texts, and functions are gone. */
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
