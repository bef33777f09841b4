/** The type of the values that a plain JSON Schema literal allows; `unknown` if the literal is too general or too complex. */
export type FromLiteral<S> = S extends { readonly $ref: string } ? unknown : Narrow<S> & Branches<S>;

type Narrow<S> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly type: infer T }
      ? OfType<T, S>
      : S extends false
        ? never
        : unknown;

type Branches<S> = S extends { readonly anyOf: readonly (infer B)[] }
  ? OneOf<B>
  : S extends { readonly oneOf: readonly (infer B)[] }
    ? OneOf<B>
    : unknown;

type OneOf<B> = B extends unknown ? FromLiteral<B> : never;

interface Scalars {
  readonly string: string;
  readonly number: number;
  readonly integer: number;
  readonly boolean: boolean;
  readonly null: null;
}

type OfType<T, S> = T extends keyof Scalars
  ? Scalars[T]
  : T extends 'object'
    ? OfObject<S>
    : T extends 'array'
      ? OfArray<S>
      : T extends readonly (infer Each)[]
        ? OfType<Each, S>
        : unknown;

type OfObject<S> = S extends { readonly properties: infer P }
  ? Flat<Members<P, RequiredOf<S>> & Extra<S>>
  : S extends { readonly additionalProperties: infer A }
    ? Flat<Record<RequiredOf<S>, FromLiteral<A>> & { [key: string]: FromLiteral<A> }>
    : Flat<Record<RequiredOf<S>, unknown> & { [key: string]: unknown }>;

type RequiredOf<S> = S extends { readonly required: readonly (infer R extends string)[] } ? R : never;

type Members<P, R> = {
  -readonly [K in keyof P as K extends R ? K : never]: FromLiteral<P[K]>;
} & {
  -readonly [K in keyof P as K extends R ? never : K]?: FromLiteral<P[K]>;
} & { [K in Exclude<R & string, keyof P>]: unknown };

/** Members beside `properties`; one index signature, so it also admits the types of the named ones. */
type Extra<S> = S extends { readonly additionalProperties: infer A; readonly properties: infer P }
  ? A extends boolean
    ? unknown
    : { [key: string]: FromLiteral<A> | FromLiteral<P[keyof P]> | undefined }
  : unknown;

type OfArray<S> = S extends { readonly prefixItems: infer P extends readonly unknown[] }
  ? OfTuple<P, S>
  : S extends { readonly items: infer I }
    ? I extends readonly unknown[]
      ? unknown[]
      : FromLiteral<I>[]
    : unknown[];

/** The items of a tuple are required only if `minItems` says so. */
type OfTuple<P extends readonly unknown[], S> = S extends { readonly minItems: P['length'] }
  ? [...Places<P>, ...Rest<S>]
  : [...Partial<Places<P>>, ...Rest<S>];

type Places<P extends readonly unknown[]> = { -readonly [K in keyof P]: FromLiteral<P[K]> };

type Rest<S> = S extends { readonly items: false }
  ? []
  : S extends { readonly items: infer I }
    ? FromLiteral<I>[]
    : unknown[];

type Flat<T> = { [K in keyof T]: T[K] };
