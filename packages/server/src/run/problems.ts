import { SessionError } from '@tenon/mcp-protocol';
import type { IncomingRequest } from '@tenon/mcp-session';

/** The parts of a call that name it in errors and reports. */
export type Named = Pick<IncomingRequest, 'method' | 'params'>;

/** Returns the call in words, for reports to the author. */
export function nameOf(request: Named): string {
  const { name, uri } = request.params;
  const target = typeof name === 'string' ? name : uri;
  return typeof target === 'string'
    ? `${request.method} ${JSON.stringify(target.slice(0, 128))}`
    : request.method;
}

/** Returns the name of a call's handler, as the beginning of errors. */
export function handlerOf(request: Named): string {
  return `The handler of ${nameOf(request)}`;
}

const longestKey = 128;

/** Returns the problem of the key of an input request or step; undefined if it is valid. */
export function keyProblem(
  what: 'input request' | 'once step',
  key: unknown,
): TypeError | RangeError | undefined {
  if (typeof key !== 'string' || key === '')
    return new TypeError(`The key of the ${what} must be a string that is not empty.`);
  if (key.length <= longestKey) return undefined;
  return new RangeError(
    `The key of the ${what} must not be longer than ${longestKey} characters, and this has ${key.length}.`,
  );
}

const examples = {
  elicit: "ctx.elicit('unit', { message, schema })",
  elicitUrl: "ctx.elicitUrl('payment', { message, url })",
  sample: "ctx.sample('summary', { messages, maxTokens })",
} as const;

/**
 * Rejects an input request without its key or its params.
 * @throws TypeError that shows the correct call.
 */
export function requireInputParams(what: keyof typeof examples, key: unknown, requested: unknown): void {
  const [given, lack] =
    typeof key !== 'string' ? [key, 'a key first'] : [requested, 'what to ask, after the key'];
  if (typeof key === 'string' && typeof requested === 'object' && requested !== null) return;
  throw new TypeError(`ctx.${what} takes ${lack}, not ${typeof given}: ${examples[what]}.`);
}

/** Returns the error for a key that was used before. */
export function duplicateKey(handler: string, key: string): TypeError {
  return new TypeError(
    `${handler}: the key ${JSON.stringify(key)} was asked with before: keys must be unique within one request.`,
  );
}

/** Returns the error for an input request that differs from the answered one with the same key. */
export function otherRequest(handler: string, key: string): TypeError {
  return new TypeError(
    `${handler} made another input request under the key ${JSON.stringify(key)} than the one that was answered: ` +
      'keys must be stable, and what varies between rounds belongs in once().',
  );
}

/** Returns the error for an input request inside a step. */
export function inputRequestInsideOnce(key: string, step: string): TypeError {
  return new TypeError(
    `The input request ${JSON.stringify(key)} is asked inside once(${JSON.stringify(step)}): make it before the step, then pass the answer in.`,
  );
}

/** Returns the error for a handler with more input requests than one call may have. */
export function tooManyRounds(handler: string, most: number): SessionError {
  return new SessionError(
    'limit',
    `${handler} asks for input more than ${most} times in one call; request several values at once.`,
  );
}

/** Returns the error for a handler with more input requests than one round may have. */
export function tooManyAtOnce(handler: string, most: number): SessionError {
  return new SessionError(
    'limit',
    `${handler} makes more than ${most} input requests at once; request some of them later.`,
  );
}
