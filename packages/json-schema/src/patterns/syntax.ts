/** The parts of a regular expression that affect the time it takes. */
export type Syntax =
  /** One character; `source` is its text in the pattern. */
  | { readonly kind: 'character'; readonly source: string }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Syntax[] }
  | { readonly kind: 'repeat'; readonly least: number; readonly most: number; readonly part: Syntax }
  /** A lookahead or lookbehind. */
  | { readonly kind: 'look'; readonly part: Syntax }
  /** A reference to the text of a group. */
  | { readonly kind: 'reference' }
  | { readonly kind: 'start' | 'end' | 'empty' };

/** Parses a pattern that is valid with the `u` flag. */
export function parsePattern(pattern: string): Syntax {
  return new Parser(pattern).choice();
}

/** A class, an escape, or any one character. */
const character = new RegExp(
  [
    String.raw`\[(?:\\[\s\S]|[^\]\\])*\]`,
    String.raw`\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}`,
    String.raw`\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[A-Za-z]|\\[\s\S]|[\s\S]`,
  ].join('|'),
  'uy',
);

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  choice(): Syntax {
    const parts = [this.#sequence()];
    while (this.#text[this.#at] === '|') {
      this.#at++;
      parts.push(this.#sequence());
    }
    return one('choice', parts);
  }

  #sequence(): Syntax {
    const parts: Syntax[] = [];
    while (this.#at < this.#text.length && !/[|)]/.test(this.#text[this.#at] as string))
      parts.push(this.#repeated(this.#atom()));
    return one('sequence', parts);
  }

  #repeated(part: Syntax): Syntax {
    const found = this.#take(/(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y);
    if (found === undefined) return part;
    const [, sign, least, comma, most] = found;
    if (sign !== undefined)
      return {
        kind: 'repeat',
        least: sign === '+' ? 1 : 0,
        most: sign === '?' ? 1 : Number.POSITIVE_INFINITY,
        part,
      };
    const from = Number(least);
    const to = most === '' ? Number.POSITIVE_INFINITY : Number(most);
    return { kind: 'repeat', least: from, most: comma === '' ? from : to, part };
  }

  #atom(): Syntax {
    const char = this.#text[this.#at];
    if (char === '(') return this.#group();
    if (char === '^' || char === '$') {
      this.#at++;
      return { kind: char === '^' ? 'start' : 'end' };
    }
    if (this.#take(/\\[bB]/y) !== undefined) return { kind: 'empty' };
    if (this.#take(/\\(?:[1-9]\d*|k<[^>]*>)/y) !== undefined) return { kind: 'reference' };
    const source = this.#take(character)?.[0];
    return { kind: 'character', source: source ?? '' };
  }

  #group(): Syntax {
    const isLook = this.#take(/\(\?<?[=!]/y) !== undefined;
    if (!isLook) this.#take(/\((?:\?(?:<[^>]*>|[a-zA-Z-]*:))?/y);
    const part = this.choice();
    this.#at++;
    return isLook ? { kind: 'look', part } : part;
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#text);
    if (found === null) return undefined;
    this.#at = expression.lastIndex;
    return found;
  }
}

function one(kind: 'sequence' | 'choice', parts: readonly Syntax[]): Syntax {
  const [only] = parts;
  if (only === undefined) return { kind: 'empty' };
  return parts.length === 1 ? only : { kind, parts };
}
