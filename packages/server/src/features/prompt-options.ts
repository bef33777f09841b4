import type { Base64Input, GetPromptResult, Icon, Meta, PromptMessage } from '@tenon/mcp-protocol';
import type { Completers, Context } from '../context/context.js';
import type { Visibility } from '../core/registry.js';
import { checkRegistration, handlerInstead } from '../registration/check.js';
import type { Members } from '../registration/members.js';
import {
  anything,
  completers,
  decides,
  icons,
  metadata,
  type RulesFor,
  scopes,
  text,
} from '../registration/rules.js';
import type { GivenBy, InferInput, OneSchema, Schema } from '../schemas/schema.js';

/** Options of a prompt. */
export interface PromptOptions<
  Args extends Schema | undefined = Schema | undefined,
  State extends object = object,
> {
  readonly title?: string;
  readonly description?: string;
  /** Shape of the arguments: an object of strings. */
  readonly args?: OneSchema<Args>;
  /** Suggestions for arguments, by name. */
  readonly complete?: Completers<ArgumentName<Args>, State>;
  readonly icons?: readonly Icon[];
  readonly visible?: Visibility;
  /** Scopes that `prompts/get` and the completion of its arguments need, all of them; see the scopes of tools. */
  readonly scopes?: readonly string[];
  readonly meta?: Meta;
}

// A schema that is not a literal may have arguments of any name.
type ArgumentName<Args> = Args extends Schema
  ? unknown extends InferInput<Args>
    ? string
    : keyof InferInput<Args> & string
  : never;

/** The return value of a prompt's handler: a text or content of the user, messages, or a full result. */
export type PromptReturn =
  | string
  | readonly PromptMessage<Base64Input>[]
  | PromptMessage<Base64Input>
  | GetPromptResult<Base64Input>;

/** Makes the messages of a prompt from its validated arguments. */
export type PromptHandler<Args extends Schema | undefined = undefined, State extends object = object> = (
  args: GivenBy<Args>,
  ctx: Context<State>,
) => PromptReturn | Promise<PromptReturn>;

const members: Members = {
  rules: {
    title: text,
    description: text,
    args: anything,
    complete: completers,
    icons,
    visible: decides,
    scopes,
    meta: metadata,
  } satisfies RulesFor<PromptOptions<undefined>>,
  instead: {
    ...handlerInstead,
    arguments: 'use "args"',
    argsSchema: 'use "args"',
    input: 'use "args"',
    inputSchema: 'use "args"',
    parameters: 'use "args"',
    scope: 'use "scopes", a list',
    requiredScopes: 'use "scopes"',
    name: 'the name is given before the options',
    _meta: 'use "meta"',
  },
};

/**
 * Checks the options of a prompt, except its schema.
 * @throws TypeError that names the prompt, the problem and the fix.
 */
export function checkPrompt(name: string, options: PromptOptions, handler: unknown): void {
  if (typeof name !== 'string' || name === '') throw new TypeError('A prompt needs a name.');
  const call = 'prompt(name, options, handler)';
  checkRegistration({ owner: `Prompt "${name}"`, call, options, handler, takes: '(args, ctx)' }, members);
}
