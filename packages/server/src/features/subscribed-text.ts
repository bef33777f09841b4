import { ErrorCode, RpcError } from '@tenon/mcp-protocol';
import type { Definition } from '../definition.js';

/** Of what all peers together may have a server remember, one may take this part. */
const parts = 64;

/** Characters held at present, by server. */
const held = new WeakMap<Definition, number>();

/** Counts the characters of the URIs one session, or one listen stream, has a server remember. */
export class SubscribedText {
  readonly #definition: Definition;
  #own = 0;

  constructor(definition: Definition) {
    this.#definition = definition;
  }

  /** @throws RpcError when there is no room for so many characters more. */
  hold(characters: number): void {
    const { subscribedText } = this.#definition.limits;
    const all = held.get(this.#definition) ?? 0;
    if (this.#own + characters > subscribedText / parts)
      throw new RpcError(
        ErrorCode.overloaded,
        `The URIs and filters of one subscriber may have ${Math.floor(subscribedText / parts)} characters in all; name fewer.`,
      );
    if (all + characters > subscribedText)
      throw new RpcError(
        ErrorCode.overloaded,
        'This server remembers as many subscriptions as it can; try again later.',
      );
    this.#own += characters;
    held.set(this.#definition, all + characters);
  }

  /** Gives back some of the characters, or all of them. */
  release(characters: number = this.#own): void {
    this.#own -= characters;
    held.set(this.#definition, (held.get(this.#definition) ?? 0) - characters);
  }
}
