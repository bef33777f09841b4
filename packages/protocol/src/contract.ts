/** The types a server promises, as its registrations made them. Exists at compile time only. */
export interface Contract {
  /** Input as a caller may write it, and structured output, by tool name. */
  readonly tools: object;
  /** Arguments by prompt name. */
  readonly prompts: object;
}

/** The contract of a peer nothing is known of. */
export interface OpenContract extends Contract {
  readonly tools: {
    readonly [name: string]: {
      readonly input: { readonly [key: string]: unknown };
      readonly output: unknown;
    };
  };
  readonly prompts: { readonly [name: string]: { readonly args: { readonly [key: string]: string } } };
}

/** Something whose type carries a contract, such as `typeof server`. */
export interface Contracted<C extends Contract = Contract> {
  /** Never present at run time. */
  readonly '~contract'?: C;
}

/** The contract a type carries. */
// Where null checks are off, unknown would pass for something that carries one.
export type ContractOf<T> = unknown extends T
  ? OpenContract
  : T extends Contracted<infer C>
    ? C
    : OpenContract;
