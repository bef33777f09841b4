import type { Clock } from '@tenon/mcp-server';

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns a URL that secrets may be sent to.
 * @param owner - the option with this URL, for errors.
 * @throws TypeError if it is neither https nor on this machine, or has credentials or a fragment.
 */
export function requireUrl(owner: string, text: string): URL {
  if (URL.canParse(text)) {
    const url = new URL(text);
    const isSecure = url.protocol === 'https:' || (url.protocol === 'http:' && loopback.test(url.hostname));
    if (isSecure && url.username === '' && url.password === '' && url.hash === '') return url;
  }
  throw new TypeError(
    `${owner} must be an https address, or one on this machine, without credentials and fragment.`,
  );
}

/** @throws RangeError if an option is not a positive number. */
export function requirePositive(owner: string, numbers: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (!(value > 0)) throw new RangeError(`${owner}: ${name} must be a positive number.`);
  }
}

/** The time of day. */
export const wallClock: Clock = {
  now: () => Date.now(),
  schedule(task, ms, holds = false) {
    const timer = setTimeout(task, ms);
    if (!holds) timer.unref();
    return () => clearTimeout(timer);
  },
};
