import { SessionError } from '@tenon/mcp-protocol';

const longestKey = 128;

/** What is wrong with the key of a question or step; undefined for a usable one. */
export function keyFlaw(what: 'ask' | 'once', key: unknown): TypeError | RangeError | undefined {
  if (typeof key !== 'string' || key === '')
    return new TypeError(`${what} needs a key: a string that is not empty.`);
  if (key.length <= longestKey) return undefined;
  return new RangeError(
    `The key of ${what} must not be longer than ${longestKey} characters, and this has ${key.length}.`,
  );
}

const examples = {
  elicit: "ctx.elicit('unit', { message, schema })",
  elicitUrl: "ctx.elicitUrl('payment', { message, url })",
  sample: "ctx.sample('summary', { messages, maxTokens })",
} as const;

/**
 * Refuses a question without its key, or without what is asked.
 * @throws TypeError that shows how it is asked.
 */
export function requireAsked(what: keyof typeof examples, key: unknown, asked: unknown): void {
  const [given, lack] =
    typeof key !== 'string' ? [key, 'a key first'] : [asked, 'what to ask, after the key'];
  if (typeof key === 'string' && typeof asked === 'object' && asked !== null) return;
  throw new TypeError(`ctx.${what} takes ${lack}, not ${typeof given}: ${examples[what]}.`);
}

/** Says that a key was asked with before. */
export function duplicateKey(handler: string, key: string): TypeError {
  return new TypeError(
    `${handler}: the key ${JSON.stringify(key)} was asked with before: keys must be unique within one request.`,
  );
}

/** Says that the input request under a key is not the one that was answered. */
export function otherRequest(handler: string, key: string): TypeError {
  return new TypeError(
    `${handler} made another input request under the key ${JSON.stringify(key)} than the one that was answered: ` +
      'keys must be stable, and what varies between rounds belongs in once().',
  );
}

/** Says that a question stands inside a step. */
export function askInsideOnce(key: string, step: string): TypeError {
  return new TypeError(
    `The question ${JSON.stringify(key)} is asked inside once(${JSON.stringify(step)}): ask first, then hand the answer in.`,
  );
}

/** Says that a handler makes more input requests than one call may. */
export function tooManyRounds(handler: string, most: number): SessionError {
  return new SessionError(
    'limit',
    `${handler} asks for input more than ${most} times in one call; allow it more with the option "limits.rounds" of the server.`,
  );
}

/** Says that a handler makes more input requests than one round may. */
export function tooManyAtOnce(handler: string, most: number): SessionError {
  return new SessionError(
    'limit',
    `${handler} makes more than ${most} input requests at once; allow it more with the option "limits.asks" of the server.`,
  );
}
