import { isRecord, type Members, memberFlaw } from './members.js';

/** What is registered, for error texts, and by which call. */
export interface Registered {
  /** For example `Tool "forecast"`. */
  readonly owner: string;
  /** How it is registered, such as `tool(name, options, handler)`. */
  readonly call: string;
  readonly options: unknown;
  readonly handler: unknown;
  /** What the handler takes, such as `(input, ctx)`. */
  readonly takes: string;
}

/**
 * Checks what an author registers something with.
 * @throws TypeError that names the owner, the option and the fix.
 */
export function checkRegistration(
  { owner, call, options, handler, takes }: Registered,
  members: Members,
): void {
  if (!isRecord(options)) {
    const told =
      typeof options === 'function' ? 'the options come before the handler' : 'options must be an object';
    throw new TypeError(`${owner}: ${told}: ${call}, with {} for no options.`);
  }
  const flaw = memberFlaw(options, members, '');
  if (flaw !== undefined) throw new TypeError(`${owner}: ${flaw}${flaw.endsWith('?') ? '' : '.'}`);
  if (typeof handler !== 'function')
    throw new TypeError(`${owner} needs a handler: a function of ${takes}, after the options: ${call}.`);
}

const third = 'the handler is given after the options, not among them';

/** Names of the handler in other frameworks. */
export const handlerInstead: Readonly<Record<string, string>> = {
  handler: third,
  execute: third,
  run: third,
  callback: third,
  cb: third,
  func: third,
};
