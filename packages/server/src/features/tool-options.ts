import type { Icon, Meta, ToolAnnotations } from '@tenon/mcp-protocol';
import type { Context } from '../context/context.js';
import type { Visibility } from '../core/registry.js';
import { checkRegistration, handlerInstead } from '../registration/check.js';
import type { Members, Rule } from '../registration/members.js';
import {
  anything,
  decides,
  icons,
  metadata,
  type RulesFor,
  scopes,
  text,
  toolAnnotations,
} from '../registration/rules.js';
import type { ToolReturn } from '../results/tool-result.js';
import type { GivenBy, InferInput, OneSchema, Schema } from '../schemas/schema.js';

/** Options of a tool. */
export interface ToolOptions<
  Input extends Schema | undefined = Schema | undefined,
  Output extends Schema | undefined = Schema | undefined,
> {
  /** For people. */
  readonly title?: string;
  /** For the model: what the tool does and when to use it. */
  readonly description?: string;
  /** Shape of the arguments. Default: no arguments. */
  readonly input?: OneSchema<Input>;
  /** Shape of the structured output. Default: no structured output. */
  readonly output?: OneSchema<Output>;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Icon[];
  /** Milliseconds for which the handler may run. Default: the server's limit `handlerTime`. */
  readonly timeout?: number;
  readonly visible?: Visibility;
  /**
   * Scopes that a call needs, all of them. Over HTTP the error names the missing scopes, so that the client can request them. They
   * are checked wherever callers are authenticated.
   */
  readonly scopes?: readonly string[];
  readonly meta?: Meta;
}

const members: Members = {
  rules: {
    title: text,
    description: text,
    input: anything,
    output: anything,
    annotations: toolAnnotations,
    icons,
    timeout: anything,
    visible: decides,
    scopes,
    meta: metadata,
  } satisfies RulesFor<ToolOptions<undefined, undefined>>,
  instead: {
    ...handlerInstead,
    inputSchema: 'use "input"',
    parameters: 'use "input"',
    args: 'use "input"',
    arguments: 'use "input"',
    schema: 'use "input"',
    outputSchema: 'use "output"',
    execution: 'it follows from an option of an extension',
    taskSupport: 'tasks are an extension, with an option of its own',
    scope: 'use "scopes", a list',
    requiredScopes: 'use "scopes"',
    readOnlyHint: 'use "annotations: { readOnlyHint }"',
    name: 'the name is given before the options',
    _meta: 'use "meta"',
  },
};

/** The options that a tool is registered with. */
export interface ToolGiven {
  readonly options: ToolOptions;
  readonly handler: unknown;
  /** Rules of the options that extensions add; undefined where they add none. */
  readonly added: Readonly<Record<string, Rule>> | undefined;
}

/** True for an option of the core, which no extension may add. */
export function isToolOption(name: string): boolean {
  return Object.hasOwn(members.rules, name);
}

const namePattern = /^[A-Za-z0-9_.-]{1,128}$/;

/**
 * Checks the options of a tool, except its schemas.
 * @throws TypeError or RangeError that names the tool, the problem and the fix.
 */
export function checkTool(name: string, { options, handler, added }: ToolGiven): void {
  if (typeof name !== 'string' || !namePattern.test(name)) {
    throw new TypeError(
      `Tool name ${JSON.stringify(name)?.slice(0, 200)}: use 1 to 128 letters, digits, "_", "-" or ".".`,
    );
  }
  const owner = `Tool "${name}"`;
  const call = 'tool(name, options, handler)';
  const known = added === undefined ? members : { ...members, rules: { ...members.rules, ...added } };
  checkRegistration({ owner, call, options, handler, takes: '(input, ctx)' }, known);
  const { timeout } = options;
  if (timeout === undefined || (typeof timeout === 'number' && timeout > 0)) return;
  throw new RangeError(`${owner}: timeout must be a positive number of milliseconds, not ${timeout}.`);
}

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
