/**
 * Checks that a value is a server.
 * @param taker - the function that was called, for the message.
 * @throws TypeError with a description of the value.
 */
export function requireServer(taker: string, given: unknown): void {
  if (typeof given === 'object' && given !== null && 'accept' in given && typeof given.accept === 'function')
    return;
  throw new TypeError(`${taker} takes a server of createServer(...), not ${whatIsGiven(given)}.`);
}

function whatIsGiven(given: unknown): string {
  if (typeof given === 'function') return 'a function that makes one: call it';
  if (given instanceof Promise) return 'a promise of one: await it';
  if (given === null || given === undefined) return String(given);
  return typeof given === 'object' ? 'another object' : `a ${typeof given}`;
}
