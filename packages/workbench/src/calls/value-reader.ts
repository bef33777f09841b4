import type { JsonValue } from '@tenon/mcp-protocol';
import { WorkbenchError } from '../failures/workbench-error.js';

const mostLevels = 100;
const number = /[+-]?(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/y;
const word = /[\p{L}_$][\p{L}\p{N}_$-]*/uy;
const space = /\s*/y;

/**
 * Reads values as they are written in JavaScript: JSON, and also names without quotes, single quotes and trailing commas.
 * All errors are a WorkbenchError `usage` that shows the place.
 */
export class ValueReader {
  readonly text: string;
  position = 0;
  #levels = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Skips white space, and returns the next character; an empty text at the end. */
  peek(): string {
    this.#match(space);
    return this.text[this.position] ?? '';
  }

  /** Skips the character if it is the next one. */
  skip(character: string): boolean {
    if (this.peek() !== character) return false;
    this.position += 1;
    return true;
  }

  /** @throws WorkbenchError `usage` if the next character is another one. */
  expect(character: string, place: string): void {
    if (this.skip(character)) return;
    throw this.problem(`"${character}" is missing ${place}`);
  }

  /** @throws WorkbenchError `usage` if there is more text. */
  end(): void {
    if (this.peek() !== '') throw this.problem('Nothing may follow here');
  }

  /** Reads a name, with or without quotes; undefined if there is none. */
  name(): string | undefined {
    const first = this.peek();
    if (first === '"' || first === "'") return this.#quoted(first);
    return this.#match(word);
  }

  value(): JsonValue {
    const first = this.peek();
    if (first === '"' || first === "'" || first === '`') return this.#quoted(first);
    if (first === '[' || first === '{') return this.#nested(first);
    return this.#number() ?? this.#word();
  }

  /** Returns an error that shows the text with a caret below the position. */
  problem(message: string, position: number = this.position): WorkbenchError {
    return new WorkbenchError('usage', `${message}:\n${withCaret(this.text, position)}`);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.position += found.length;
    return found;
  }

  #nested(first: '[' | '{'): JsonValue {
    this.#levels += 1;
    if (this.#levels > mostLevels) throw this.problem(`More than ${mostLevels} levels`);
    this.position += 1;
    const value = first === '[' ? this.#array() : this.#object();
    this.#levels -= 1;
    return value;
  }

  #array(): JsonValue {
    const items: JsonValue[] = [];
    while (!this.skip(']')) {
      items.push(this.value());
      if (!this.skip(',') && this.peek() !== ']') throw this.problem('"," or "]" is missing');
    }
    return items;
  }

  #object(): JsonValue {
    const members: [string, JsonValue][] = [];
    while (!this.skip('}')) {
      const name = this.name();
      if (name === undefined) throw this.problem('A name or "}" is missing');
      this.expect(':', `after the name ${JSON.stringify(name)}`);
      members.push([name, this.value()]);
      if (!this.skip(',') && this.peek() !== '}') throw this.problem('"," or "}" is missing');
    }
    return Object.fromEntries(members);
  }

  #number(): number | undefined {
    const start = this.position;
    const text = this.#match(number);
    if (text === undefined) return undefined;
    const sign = text.startsWith('-') ? -1 : 1;
    const value = sign * Number(text.replace(/^[+-]/, ''));
    if (!Number.isFinite(value)) throw this.problem('The number is too large', start);
    if (Number.isInteger(value) && !Number.isSafeInteger(value) && /^[+-]?\d+$/.test(text))
      throw this.problem('JSON cannot hold this number exactly; send it as text in quotes', start);
    return value;
  }

  #word(): boolean | null {
    const start = this.position;
    const found = this.#match(word);
    if (found === 'true' || found === 'false') return found === 'true';
    if (found === 'null') return null;
    if (found === undefined)
      throw this.problem(start < this.text.length ? 'A value is expected' : 'A value is missing', start);
    throw this.problem(`Text needs quotes: "${found}"`, start);
  }

  #quoted(quote: string): string {
    const start = this.position;
    let value = '';
    for (this.position += 1; this.position < this.text.length; this.position += 1) {
      const character = this.text[this.position] ?? '';
      if (character === quote) {
        this.position += 1;
        return value;
      }
      value += character === '\\' ? this.#escape() : character;
    }
    throw this.problem(`The text has no closing ${quote}`, start);
  }

  #escape(): string {
    this.position += 1;
    const character = this.text[this.position] ?? '';
    if (character === 'u' || character === 'x') {
      const digits = this.text.slice(this.position + 1, this.position + (character === 'u' ? 5 : 3));
      if (
        !/^(?:[0-9a-fA-F]{4}|[0-9a-fA-F]{2})$/.test(digits) ||
        digits.length !== (character === 'u' ? 4 : 2)
      )
        throw this.problem(`\\${character} needs ${character === 'u' ? 4 : 2} hexadecimal digits`);
      this.position += digits.length;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    // A line feed after a backslash continues the line.
    if (character === '\n') return '';
    return escapes.get(character) ?? character;
  }
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['0', '\0'],
]);

/** Reads one value. @throws WorkbenchError `usage` that shows the place. */
export function readValue(text: string): JsonValue {
  const reader = new ValueReader(text);
  const value = reader.value();
  reader.end();
  return value;
}

/** Returns the line of a text with a caret below the position, indented; long lines are shortened. */
function withCaret(text: string, position: number): string {
  const start = text.lastIndexOf('\n', position - 1) + 1;
  const next = text.indexOf('\n', position);
  const line = text.slice(start, next === -1 ? undefined : next).replaceAll('\t', ' ');
  const column = position - start;
  const from = Math.max(0, column - 50);
  return `  ${line.slice(from, from + 70)}\n  ${' '.repeat(column - from)}^`;
}
