import type { OptionRule } from '@tenon/foundation';
import { isUrl } from '@tenon/mcp-protocol/internal';
import { isHttpsOrLoopback } from '../http/url-host.js';

/** The rule of clock tolerances: a clock that is wrong by more than minutes should be set. */
export const toleranceRule: OptionRule = {
  is: 'a number of milliseconds from 0 to 300,000',
  allows: (value) => typeof value === 'number' && value >= 0 && value <= 300_000,
};

/**
 * Returns a URL that secrets may be sent to, or that is trusted.
 * @param owner - the option with this URL, for errors.
 * @throws TypeError if it is neither https nor on this machine, or has credentials or a fragment.
 */
export function requireAddress(owner: string, address: string): URL {
  const url = isUrl(address) ? new URL(address) : undefined;
  const isPlain = url !== undefined && url.username === '' && url.password === '' && url.hash === '';
  if (isPlain && isHttpsOrLoopback(url)) return url;
  throw new TypeError(
    `${owner} must be an https address, or one on this machine, without credentials and fragment.`,
  );
}
