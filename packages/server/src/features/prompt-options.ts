import type { Icon, Meta } from '@tenon/mcp-protocol';
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
import type { Visibility } from '../registry.js';
import type { Schema } from '../schemas/schema.js';
import type { Completers } from './completers.js';

/** What a prompt says of itself. */
export interface PromptOptions<Args extends Schema | undefined> {
  readonly title?: string;
  readonly description?: string;
  /** Shape of the arguments: an object of strings. */
  readonly args?: Args;
  /** Suggestions for arguments, by name. */
  readonly complete?: Completers;
  readonly icons?: readonly Icon[];
  readonly visible?: Visibility;
  /** Scopes that getting it and completing its arguments take, all of them; as those of a tool. */
  readonly scopes?: readonly string[];
  readonly meta?: Meta;
}

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
 * Checks what a prompt is registered with, its schema excepted.
 * @throws TypeError that names the prompt, what is wrong, and the fix.
 */
export function checkPrompt(
  name: string,
  options: PromptOptions<Schema | undefined>,
  handler: unknown,
): void {
  if (typeof name !== 'string' || name === '') throw new TypeError('A prompt needs a name.');
  const call = 'prompt(name, options, handler)';
  checkRegistration({ owner: `Prompt "${name}"`, call, options, handler, takes: '(args, ctx)' }, members);
}
