import { isRecord } from '@tenon/foundation';
import { serverPort } from '@tenon/mcp-protocol';

/** The functions that create and accept the extensions of one end. */
export interface ExtensionMaker {
  /** The function that accepts the extensions. */
  readonly call: string;
  /** The package of `defineExtension`. */
  readonly from: string;
  /** The member that `defineExtension` adds. */
  readonly mark: symbol;
}

/** @throws TypeError if `defineExtension` of this end did not return the extension. */
export function requireExtensions(
  extensions: readonly unknown[],
  { call, from, mark }: ExtensionMaker,
): void {
  for (const [index, extension] of extensions.entries()) {
    if (isRecord(extension) && mark in extension) continue;
    const id =
      isRecord(extension) && typeof extension.id === 'string' && extension.id !== ''
        ? String(extension.id).slice(0, 128)
        : undefined;
    const named = id === undefined ? '' : ` (${JSON.stringify(id)})`;
    throw new TypeError(
      `${call}: extensions[${index}]${named} was not returned by defineExtension of ${from}: write ` +
        `extensions: [defineExtension({ id: ${JSON.stringify(id ?? 'com.example/search')}, ... })].`,
    );
  }
}

/**
 * Checks that a value is a server.
 * @param taker - the function that was called, for the message.
 * @throws TypeError with a description of the value.
 */
export function requireServer(taker: string, given: unknown): void {
  if (typeof given === 'object' && given !== null && serverPort in given) return;
  throw new TypeError(`${taker} takes a server of createServer(...), not ${whatIsGiven(given)}.`);
}

function whatIsGiven(given: unknown): string {
  if (typeof given === 'function') return 'a function that makes one: call it';
  if (given instanceof Promise) return 'a promise of one: await it';
  if (given === null || given === undefined) return String(given);
  return typeof given === 'object' ? 'another object' : `a ${typeof given}`;
}
