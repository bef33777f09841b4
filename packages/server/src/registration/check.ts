import { isRecord } from '@tenon/foundation';
import { type Meta, metaKeyProblem } from '@tenon/mcp-protocol';
import { type Members, memberProblem } from './members.js';

/** The name of an entry and its registration call, for error texts. */
export interface Registered {
  /** For example `Tool "forecast"`. */
  readonly owner: string;
  /** The registration call, such as `tool(name, options, handler)`. */
  readonly call: string;
  readonly options: unknown;
  readonly handler: unknown;
  /** The parameters of the handler, such as `(input, ctx)`. */
  readonly takes: string;
}

/**
 * Checks the options and the handler of a registration.
 * @throws TypeError that names the owner, the option and the fix.
 */
export function checkRegistration(
  { owner, call, options, handler, takes }: Registered,
  members: Members,
): void {
  if (!isRecord(options)) {
    const lack =
      typeof options === 'function' ? 'the options come before the handler' : 'options must be an object';
    throw new TypeError(`${owner}: ${lack}: ${call}, with {} for no options.`);
  }
  const problem = memberProblem(options, members, '');
  if (problem !== undefined) throw new TypeError(`${owner}: ${problem}${/[.?]$/.test(problem) ? '' : '.'}`);
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

/**
 * Returns the metadata of an entry.
 * @throws TypeError if the specification does not allow a key.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#_meta
 */
export function checkedMeta(owner: string, meta: Meta | undefined): { readonly _meta?: Meta } {
  for (const key of Object.keys(meta ?? {})) {
    const problem = metaKeyProblem(key);
    if (problem !== undefined) throw new TypeError(`${owner}: the metadata key "${key}" ${problem}.`);
  }
  return meta === undefined ? {} : { _meta: meta };
}
