import { optionRules, requireOptions } from '@tenon/foundation';
import type { JsonObject } from '@tenon/mcp-protocol';
import { estimateTokens } from '../formats/tokens.js';
import type { Model, ModelReply, ModelRequest, ReplyOptions, StopReason } from '../model.js';
import { cancelledReply, ModelError } from '../model-error.js';
import { demoReply } from './demo-reply.js';
import { lastText } from './last-message.js';

/** A reply of a script: a text, or a text with calls. */
export type ScriptedReply =
  | string
  | {
      readonly text?: string;
      readonly calls?: readonly { readonly name: string; readonly args?: JsonObject }[];
      /** Default: `toolUse` for a reply with calls, else `endTurn`. */
      readonly stopReason?: StopReason;
    };

/** A reply to some messages. */
export interface ScriptStep {
  /** A text that the last message has, in any case, or an expression that it matches. The results of tools count as text. */
  readonly when: string | RegExp;
  readonly reply: ScriptedReply | ((request: ModelRequest) => ScriptedReply);
}

/** Replies of a {@link scriptedModel}, or the function that returns them. */
export type Script = readonly (ScriptedReply | ScriptStep)[] | ((request: ModelRequest) => ScriptedReply);

/** A model with replies that are known before. */
export interface ScriptedModel extends Model {
  /** The last 100 requests, the newest last. */
  readonly requests: readonly ModelRequest[];
}

const mostRequests = 100;

/**
 * Returns a model without a network, for tests and demos. The first entry of the script that applies is the reply: a step applies to each
 * message that it matches, and a plain reply applies once.
 *
 * Without a script, the model calls the tool that the user's words name (`call add a=1 b=2`, or `add 1 and 2`), and afterwards says what the
 * tool returned. It replies the same to the same messages.
 * @throws TypeError if the script is not one; ModelError `invalid-answer` (in the reply) if no entry applies.
 */
export function scriptedModel(
  script: Script = demoReply,
  options: { readonly name?: string } = {},
): ScriptedModel {
  requireOptions('scriptedModel()', options, { name: optionRules.text });
  requireScript(script);
  const { name = 'scripted' } = options;
  const requests: ModelRequest[] = [];
  const next = typeof script === 'function' ? script : stepsOf(script, name);
  let calls = 0;
  return {
    name,
    requests,
    async reply(request: ModelRequest, { signal, onText }: ReplyOptions = {}): Promise<ModelReply> {
      if (signal?.aborted) throw cancelledReply(name, signal);
      requests.push(request);
      if (requests.length > mostRequests) requests.shift();
      const reply = next(request);
      const { text = '', calls: made = [], stopReason } = typeof reply === 'string' ? { text: reply } : reply;
      for (const word of text.match(/\s*\S+\s*/g) ?? []) {
        onText?.(word);
        if (signal?.aborted) throw cancelledReply(name, signal);
      }
      return {
        content: [
          ...(text === '' ? [] : [{ type: 'text', text } as const]),
          ...made.map(
            ({ name: tool, args = {} }) =>
              ({ type: 'tool_call', id: `call_${++calls}`, name: tool, args }) as const,
          ),
        ],
        stopReason: stopReason ?? (made.length > 0 ? 'toolUse' : 'endTurn'),
        usage: {
          input: estimateTokens(JSON.stringify(request.messages)),
          output: estimateTokens(text + JSON.stringify(made)),
        },
        model: name,
      };
    },
  };
}

const { text, list, callable } = optionRules;
const either = {
  is: 'a text, a reply or a function',
  allows: (value: unknown) => isReply(value) || callable.allows(value),
};
const stepRules = {
  when: {
    is: 'a text or an expression',
    allows: (value: unknown) => text.allows(value) || value instanceof RegExp,
  },
  reply: either,
};
const replyRules = {
  text: { is: 'a text', allows: (value: unknown) => typeof value === 'string' },
  calls: list,
  stopReason: text,
};

function isReply(value: unknown): boolean {
  return typeof value === 'string' || optionRules.object.allows(value);
}

function requireScript(script: Script): void {
  if (typeof script === 'function') return;
  if (!Array.isArray(script))
    throw new TypeError(
      'scriptedModel(): the script must be a list of replies, or a function that returns one.',
    );
  for (const [index, entry] of script.entries()) {
    const where = `scriptedModel(): entry ${index + 1} of the script`;
    if (!isReply(entry)) throw new TypeError(`${where} must be a text, a reply or a step.`);
    if (typeof entry === 'string') continue;
    if ('when' in entry) requireOptions(where, entry, stepRules);
    else requireOptions(where, entry, replyRules);
  }
}

function stepsOf(
  script: readonly (ScriptedReply | ScriptStep)[],
  name: string,
): (request: ModelRequest) => ScriptedReply {
  const used = new Set<ScriptedReply | ScriptStep | number>();
  return (request) => {
    const said = lastText(request);
    for (const [index, entry] of script.entries()) {
      if (typeof entry === 'object' && 'when' in entry) {
        const { when, reply } = entry;
        if (matches(when, said)) return typeof reply === 'function' ? reply(request) : reply;
      } else if (!used.has(index)) {
        used.add(index);
        return entry;
      }
    }
    throw new ModelError(
      'invalid-answer',
      `The script of the model "${name}" has no reply to "${said.slice(0, 200)}". Add a step for it.`,
    );
  };
}

function matches(when: string | RegExp, text: string): boolean {
  return typeof when === 'string' ? text.toLowerCase().includes(when.toLowerCase()) : text.search(when) >= 0;
}
