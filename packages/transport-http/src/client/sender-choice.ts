import { openSender } from '#sender';
import { type Fetch, fetchSender } from './fetch-sender.js';
import type { HttpSender, OpenSender, SenderUse } from './http-sender.js';

/** What sends the HTTP requests of a connection; at most one of both. */
export interface SenderChoice {
  /** A function like the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Makes the sender, such as `undiciSender` of `@tenon/mcp-client/undici`. */
  readonly sender?: OpenSender | undefined;
}

/** @throws TypeError for two senders, and for a `sender` that is no function. */
export function requireSenderChoice({ fetch, sender }: SenderChoice): void {
  if (sender === undefined) return;
  if (fetch !== undefined) throw new TypeError('Give either fetch, or sender; not both.');
  if (typeof sender !== 'function')
    throw new TypeError('sender must be a function, such as undiciSender of @tenon/mcp-client/undici.');
}

/**
 * The sender that was chosen. Without a choice, Node sends on a pool of connections of undici, and bundles send with the
 * global `fetch`: `imports` in package.json decides about `#sender`, so that bundlers do not read undici.
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
