/** The types of a server's tools and prompts, as registered. Exists at compile time only. */
export interface Contract {
  /** Input as a caller may write it, and structured output, by tool name. */
  readonly tools: object;
  /** Arguments by prompt name. */
  readonly prompts: object;
}

/** The contract of an unknown peer. */
export interface OpenContract extends Contract {
  readonly tools: {
    readonly [name: string]: {
      readonly input: { readonly [key: string]: unknown };
      readonly output: unknown;
    };
  };
  readonly prompts: { readonly [name: string]: { readonly args: { readonly [key: string]: string } } };
}

/** A value with a contract in its type, such as a server. */
export interface Contracted<C extends Contract = Contract> {
  /** Never present at run time. */
  readonly '~contract'?: C;
}

/** A contract without names, as of a server that registers its tools in statements of their own, says nothing about them. */
type Usable<C extends Contract> = [keyof C['tools']] extends [never]
  ? [keyof C['prompts']] extends [never]
    ? OpenContract
    : C & Pick<OpenContract, 'tools'>
  : [keyof C['prompts']] extends [never]
    ? C & Pick<OpenContract, 'prompts'>
    : C;

/** The contract a type carries. Tools or prompts of which it has none may have any name. */
// Without strict null checks, unknown would match Contracted.
export type ContractOf<T> = unknown extends T
  ? OpenContract
  : T extends Contracted<infer C>
    ? Usable<C>
    : OpenContract;
