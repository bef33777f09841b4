import type { Icon, Meta, ToolAnnotations } from '@tenon/mcp-protocol';
import type { ToolOption } from '../extensions/offered.js';
import { checkRegistration, handlerInstead } from '../registration/check.js';
import type { Members, Rule } from '../registration/members.js';
import {
  anything,
  decides,
  icons,
  metadata,
  oneOf,
  type RulesFor,
  scopes,
  text,
  toolAnnotations,
} from '../registration/rules.js';
import type { Visibility } from '../registry.js';
import type { Schema } from '../schemas/schema.js';

/** What a tool says of itself. */
export interface ToolOptions<Input extends Schema | undefined, Output extends Schema | undefined> {
  /** For people. */
  readonly title?: string;
  /** For the model: what the tool does and when to use it. */
  readonly description?: string;
  /** Shape of the arguments; none means the tool takes none. */
  readonly input?: Input;
  /** Shape of the structured output; none means the tool promises none. */
  readonly output?: Output;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Icon[];
  /** Whether the tool may run as a task; carried where the revision has tasks. */
  readonly taskSupport?: 'forbidden' | 'optional' | 'required';
  /** Milliseconds the handler may work, in place of the server's limit `handlerTime`. */
  readonly timeout?: number;
  readonly visible?: Visibility;
  /**
   * Scopes that a call takes, all of them. Whoever lacks one is told over HTTP which, so that he can ask for more. They
   * are looked at wherever callers are asked who they are.
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
    taskSupport: oneOf('forbidden', 'optional', 'required'),
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
    execution: 'use "taskSupport"',
    scope: 'use "scopes", a list',
    requiredScopes: 'use "scopes"',
    readOnlyHint: 'use "annotations: { readOnlyHint }"',
    name: 'the name is given before the options',
    _meta: 'use "meta"',
  },
};

/** What a tool is registered with, and the options that extensions add. */
export interface ToolGiven {
  readonly options: ToolOptions<Schema | undefined, Schema | undefined>;
  readonly handler: unknown;
  readonly added: ReadonlyMap<string, ToolOption>;
}

function membersWith(name: string, added: ReadonlyMap<string, ToolOption>): Members {
  if (added.size === 0) return members;
  const rules: Record<string, Rule> = { ...members.rules };
  for (const [option, { check }] of added) {
    rules[option] = (value, at) => {
      const problem = check?.(value, { name });
      return problem === undefined ? undefined : `${at} ${problem}`;
    };
  }
  return { ...members, rules };
}

/** @throws TypeError if an extension adds an option that every tool has. */
export function requireOwnOptions(added: ReadonlyMap<string, ToolOption>): void {
  for (const name of added.keys()) {
    if (Object.hasOwn(members.rules, name))
      throw new TypeError(
        `An extension adds the tool option "${name}", which every tool has: name it otherwise.`,
      );
  }
}

const namePattern = /^[A-Za-z0-9_.-]{1,128}$/;

/**
 * Checks what a tool is registered with, its schemas excepted.
 * @throws TypeError or RangeError that names the tool, what is wrong, and the fix.
 */
export function checkTool(name: string, { options, handler, added }: ToolGiven): void {
  if (typeof name !== 'string' || !namePattern.test(name)) {
    throw new TypeError(
      `Tool name ${JSON.stringify(name)?.slice(0, 200)}: use 1 to 128 letters, digits, "_", "-" or ".".`,
    );
  }
  const owner = `Tool "${name}"`;
  const call = 'tool(name, options, handler)';
  checkRegistration({ owner, call, options, handler, takes: '(input, ctx)' }, membersWith(name, added));
  const { timeout } = options;
  if (timeout === undefined || (typeof timeout === 'number' && timeout > 0)) return;
  throw new RangeError(`${owner}: timeout must be a positive number of milliseconds, not ${timeout}.`);
}
