import { ErrorCode, RpcError } from '@tenon/mcp-protocol';
import type { ServerBounds } from '../../core/limits.js';

/** The share of all characters that one session or stream may use. */
const parts = 64;

/** The parts of a server that the subscriptions of all its clients share. */
export interface SubscriptionParts {
  readonly limits: ServerBounds;
  readonly onError: (error: unknown, where: string) => void;
  /** The number of characters that the server keeps for all of them. */
  readonly text: { held: number };
}

/** Counts the characters of the URIs and filters that a server keeps for one session or one listen stream. */
export class SubscribedText {
  readonly #server: Pick<SubscriptionParts, 'limits' | 'text'>;
  #own = 0;

  constructor(server: Pick<SubscriptionParts, 'limits' | 'text'>) {
    this.#server = server;
  }

  /** @throws RpcError if so many characters more are beyond the limit. */
  hold(characters: number): void {
    this.requireRoom(this.#own + characters);
    this.#own += characters;
    this.#server.text.held += characters;
  }

  /** @throws RpcError if the subscriber cannot have so many characters in all. */
  requireRoom(characters: number): void {
    const { subscribedText } = this.#server.limits;
    const others = this.#server.text.held - this.#own;
    if (characters > subscribedText / parts)
      throw new RpcError(
        ErrorCode.overloaded,
        `The URIs and filters of one subscriber may have ${Math.floor(subscribedText / parts)} characters in all; name fewer.`,
      );
    if (others + characters > subscribedText)
      throw new RpcError(
        ErrorCode.overloaded,
        'This server remembers as many subscriptions as it can; try again later.',
      );
  }

  /** Stops counting some of the characters, or all of them. */
  release(characters: number = this.#own): void {
    this.#own -= characters;
    this.#server.text.held -= characters;
  }
}
