import { randomId } from '@tenon/foundation';

/** Results that are kept, at most, and their characters. The oldest are dropped. */
const most = { results: 200, characters: 16_777_216 };
/** Characters that one reading returns. */
const atOnce = 50_000;

/** Keeps results that were cut, so that a model can read the rest. Their URIs cannot be guessed. */
export class LongResults {
  readonly #texts = new Map<string, { readonly user: string | undefined; readonly text: string }>();
  #characters = 0;

  /** Returns the URI of a text; undefined if it is too long to be kept. */
  keep(user: string | undefined, text: string): string | undefined {
    if (text.length > most.characters) return undefined;
    const uri = `tenon-result:${randomId()}`;
    this.#texts.set(uri, { user, text });
    this.#characters += text.length;
    for (const [oldest, { text: dropped }] of this.#texts) {
      if (this.#texts.size <= most.results && this.#characters <= most.characters) break;
      this.#texts.delete(oldest);
      this.#characters -= dropped.length;
    }
    return uri;
  }

  /** Returns a part of a text, and a sentence about what is left; undefined if there is no such text of the user. */
  read(user: string | undefined, uri: unknown, offset: unknown): string | undefined {
    const kept = this.#texts.get(String(uri));
    if (kept === undefined || kept.user !== user) return undefined;
    const start = typeof offset === 'number' && offset > 0 ? Math.floor(offset) : 0;
    const end = start + atOnce;
    const part = kept.text.slice(start, end);
    const left = kept.text.length - end;
    return left <= 0 ? part : `${part}\n[${left} characters are left: read on with the offset ${end}.]`;
  }
}
