import type { Context } from '../context/context.js';
import type { ToolReturn } from '../results/tool-result.js';
import type { GivenBy, InferInput, Schema } from '../schemas/schema.js';

type Full = Extract<ToolReturn, { readonly content: unknown }>;

// The compiler shows the arguments of an alias: the hint is part of the error for a handler that returns another value.
type Returns<Value, Hint> = Value | Promise<Value> | (Hint extends '' ? Value : never);

// Conditional as a whole, so that it is resolved before a handler's return is typed and literals in it stay literals.
/** Handles calls of a tool: receives the validated input; the option `output` decides what it may return. */
export type ToolHandler<
  Input extends Schema | undefined = undefined,
  Output extends Schema | undefined = undefined,
  State extends object = object,
> = Output extends Schema
  ? (
      input: GivenBy<Input>,
      ctx: Context<State>,
    ) => InferInput<Output> | Full | Promise<InferInput<Output> | Full>
  : (
      input: GivenBy<Input>,
      ctx: Context<State>,
    ) => Returns<ToolReturn, 'to return data, add the option `output`'>;
