import { openSender } from '#sender';
import { type Fetch, fetchSender } from './fetch-sender.js';
import type { HttpSender, OpenSender, SenderUse } from './http-sender.js';

/** The sender of a connection's HTTP requests. At most one of the two options can be set. */
export interface SenderChoice {
  /** A function like the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Makes the sender, such as `undiciSender` of `@tenon/mcp-client/undici`. */
  readonly sender?: OpenSender | undefined;
}

/** @throws TypeError if there are two senders, or if `sender` is not a function. */
export function requireSenderChoice({ fetch, sender }: SenderChoice): void {
  if (sender === undefined) return;
  if (fetch !== undefined) throw new TypeError('Give either fetch, or sender; not both.');
  if (typeof sender !== 'function')
    throw new TypeError('sender must be a function, such as undiciSender of @tenon/mcp-client/undici.');
}

/**
 * Returns the chosen sender. By default, Node sends on a pool of undici connections, bundles and Bun send with the global
 * `fetch`: `imports` in package.json selects `#sender`, so that bundlers do not include undici. Bun replaces undici by a module
 * without its connections.
 */
export function senderOf(
  origin: string,
  choice: SenderChoice,
  use: SenderUse,
): HttpSender | Promise<HttpSender> {
  const { fetch, sender = fetch === undefined ? openSender : undefined } = choice;
  if (sender !== undefined) return sender(origin, use);
  return fetchSender(origin, fetch ?? ((input, init) => globalThis.fetch(input, init)));
}
