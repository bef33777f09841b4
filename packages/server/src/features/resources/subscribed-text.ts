import { ErrorCode, RpcError } from '@tenon/mcp-protocol';
import type { Definition } from '../../context/definition.js';

/** The share of all characters that one session or stream may use. */
const parts = 64;

/** The counted characters, by server. */
const held = new WeakMap<Definition, number>();

/** Counts the characters of the URIs and filters that a server keeps for one session or one listen stream. */
export class SubscribedText {
  readonly #definition: Definition;
  #own = 0;

  constructor(definition: Definition) {
    this.#definition = definition;
  }

  /** @throws RpcError if so many characters more are beyond the limit. */
  hold(characters: number): void {
    this.requireRoom(this.#own + characters);
    this.#own += characters;
    held.set(this.#definition, (held.get(this.#definition) ?? 0) + characters);
  }

  /** @throws RpcError if the subscriber cannot have so many characters in all. */
  requireRoom(characters: number): void {
    const { subscribedText } = this.#definition.limits;
    const others = (held.get(this.#definition) ?? 0) - this.#own;
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
    held.set(this.#definition, (held.get(this.#definition) ?? 0) - characters);
  }
}
