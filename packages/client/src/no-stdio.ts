import type { CommandTarget, Dialer } from './session/dialer.js';

/**
 * Replaces stdio.ts in a browser.
 * @throws TypeError always.
 */
export function stdioTarget({ command }: CommandTarget): Dialer {
  const name = JSON.stringify(command.slice(0, 80));
  throw new TypeError(
    `A browser cannot start the program ${name}: give connect the URL of a server that is reached over HTTP.`,
  );
}
