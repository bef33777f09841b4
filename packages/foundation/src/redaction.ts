import { redactAssigned } from './redaction/assigned.js';
import { redactLogins } from './redaction/logins.js';
import { type Secrecy, secrecyOf } from './redaction/names.js';
import { redactElements, redactPairs } from './redaction/pairs.js';
import { blanks, isSecret, looksRandom, redacted, webTokenIn, wordStart } from './redaction/words.js';
import { withoutControls } from './text.js';

export { type Secrecy, secrecyOf } from './redaction/names.js';
export { redacted } from './redaction/words.js';

// Each expression starts at a word, and takes time in proportion to the text.
const dottedWord = new RegExp(String.raw`${wordStart}([\w-]{10,})((?:\.[\w-]*){2,4})`, 'g');
const bearer = new RegExp(String.raw`${wordStart}(bearer${blanks})([\w\-.+/=~]+)`, 'gi');

/**
 * Returns a text without bearer tokens, JSON Web Tokens, user information of URLs and of `curl`, and values after a name such as
 * `password`. Takes time in proportion to the text.
 */
export function redactText(text: string): string {
  const clean = (text.includes('eyJ') ? text.replace(dottedWord, withoutWebToken) : text).replace(
    bearer,
    (all: string, scheme: string, value: string) => (looksRandom(value) ? scheme + redacted : all),
  );
  return redactElements(redactPairs(redactAssigned(redactLogins(clean))));
}

function withoutWebToken(all: string, word: string): string {
  const from = webTokenIn(word);
  return from < 0 ? all : word.slice(0, from) + redacted;
}

/** Returns a copy of a value that may be shown to others. Must not change the value. */
export type Redactor = (value: unknown) => unknown;

/** The text redactor of {@link redact}. */
export interface RedactOptions {
  /** Redacts each text. Default {@link redactText}. */
  readonly text?: (text: string) => string;
}

/** Bounds of a copy without secrets. */
export interface RedactionBounds {
  /** Levels to copy; deeper ones are omitted. */
  readonly depth: number;
  /** Values to copy. */
  readonly values: number;
  /** Characters of all texts together. */
  readonly characters: number;
}

const redactionBounds: RedactionBounds = { depth: 32, values: 10_000, characters: 1_048_576 };

/**
 * Returns a value without secrets: members with names such as `authorization`, `password` or `apiKey` lose their value, and
 * every text is redacted. A value without secrets is returned unchanged, others are copied. Errors stay errors: message, stack,
 * cause and members are redacted. Never throws. Depth, members and length are limited; the rest is omitted.
 */
export function redact(value: unknown, options: RedactOptions = {}): unknown {
  return redactWithin(value, redactionBounds, options.text);
}

/** Like {@link redact}, with other bounds: for values of limited size. */
export function redactWithin(
  value: unknown,
  bounds: Partial<RedactionBounds>,
  text: (text: string) => string = redactText,
): unknown {
  return new Copier({ ...redactionBounds, ...bounds }, text).clean(value, undefined);
}

/** Returns the printable part of a value: no credentials, and no control characters for terminals. */
export const printable: Redactor = (value) => redact(value, { text: printableText });

// In this order: invisible characters may be in the middle of a secret.
function printableText(text: string): string {
  return redactText(withoutControls(text));
}

/**
 * Returns the redactor for an option `redact`: undefined selects `first`, a function is called with the result of `first`, and
 * false redacts nothing. If the function throws, the value is replaced entirely.
 * @throws TypeError for other values.
 */
export function redactorOf(option: false | Redactor | undefined, first: Redactor = redact): Redactor {
  if (option === undefined) return first;
  if (option === false) return (value) => value;
  if (typeof option !== 'function')
    throw new TypeError(
      'The option "redact" must be false, or a function that returns a copy of a value without secrets.',
    );
  if (Object.prototype.toString.call(option) === '[object AsyncFunction]')
    throw new TypeError('The option "redact" must be a synchronous function, and this one is async.');
  return (value) => {
    try {
      return option(first(value));
    } catch {
      return '[redaction failed]';
    }
  };
}

const lastWord = /(?<![^\s"'`,;{}[\]()<>])[^\s"'`,;{}[\]()<>]+$/;
/** Characters before a cut word that may name it as a secret, and after the cut that may belong to it. */
const [mostBefore, mostSecret] = [64, 8_192];

/** A value inside a container: its name in the copy, and the name that decides whether it is a secret. */
type Member = readonly [name: unknown, value: unknown, label?: unknown];

/** A value with members, and a function that copies it. */
interface Container {
  readonly size: number;
  readonly members: Iterable<Member>;
  /** True if the copy contains the names, which are redacted too. */
  readonly named: boolean;
  readonly copy: (members: readonly Member[]) => unknown;
}

class Copier {
  readonly #cleanText: (text: string) => string;
  readonly #depth: number;
  readonly #above: object[] = [];
  #values: number;
  #characters: number;

  constructor({ depth, values, characters }: RedactionBounds, text: (text: string) => string) {
    this.#cleanText = text;
    this.#depth = depth;
    this.#values = values;
    this.#characters = characters;
  }

  /** @param hidden - secrecy that the name of an enclosing member declares. */
  clean(value: unknown, hidden: Secrecy | undefined, name?: unknown): unknown {
    if (this.#values <= 0) return '[left out]';
    this.#values--;
    if (typeof value === 'string') return hidden === undefined ? this.#text(value) : value && redacted;
    if (typeof value === 'number' || typeof value === 'bigint') return hidden === 'all' ? redacted : value;
    if (value === unreadable) return '[unreadable]';
    if (typeof value !== 'object' || value === null) return value;
    if (this.#above.includes(value)) return '[circular]';
    if (this.#above.length >= this.#depth) return '[left out]';
    this.#above.push(value);
    try {
      return this.#object(value, hidden, name);
    } catch {
      return '[unreadable]';
    } finally {
      this.#above.pop();
    }
  }

  #text(text: string): string {
    const left = this.#characters;
    this.#characters = Math.max(0, left - text.length);
    if (text.length <= left) return this.#cleanText(text);
    const shown = this.#beginning(text, left);
    return `${this.#cleanText(shown)}… (${text.length - shown.length} more characters)`;
  }

  /** Returns the beginning of a text. If it would cut a secret, which may not be recognized then, it ends before that word. */
  #beginning(text: string, length: number): string {
    if (length === 0) return '';
    const cut = text.slice(0, length);
    const from = cut.length - (lastWord.exec(cut)?.[0].length ?? 0);
    const around = text.slice(Math.max(0, from - mostBefore), length + mostSecret);
    return this.#cleanText(around) === around ? cut : cut.slice(0, from);
  }

  #name(name: unknown): unknown {
    return typeof name === 'string' ? this.#text(name) : this.clean(name, undefined);
  }

  #parameters(value: URLSearchParams): URLSearchParams {
    const query = `?${value}`;
    const clean = this.#text(query);
    return clean === query ? value : new URLSearchParams(clean);
  }

  #object(value: object, hidden: Secrecy | undefined, name: unknown): unknown {
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (isA(value, 'URLSearchParams')) return this.#parameters(value as URLSearchParams);
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function' && !(value instanceof Error)) {
      const json: unknown = toJSON.call(value, '');
      const clean = json === value ? value : this.clean(json, hidden);
      return clean === json ? value : clean;
    }
    const { size, members, named, copy } = containerOf(value, name);
    const cleaned: Member[] = [];
    let changed = false;
    for (const [key, item, label = key] of members) {
      if (this.#values <= 0) {
        cleaned.push(['…', `[${size - cleaned.length} left out]`]);
        return copy(cleaned);
      }
      const shown = named ? this.#name(key) : key;
      const own = typeof label === 'string' ? secrecyOf(label) : undefined;
      const clean = this.clean(item, hidden ?? own, key);
      changed ||= !Object.is(clean, item) || !Object.is(shown, key);
      cleaned.push([shown, clean]);
    }
    return changed ? copy(cleaned) : value;
  }
}

function containerOf(value: object, name: unknown): Container {
  if (Array.isArray(value)) return listOf(value, value.length === 2 || name === 'rawHeaders');
  const asObject = (members: readonly Member[]) =>
    Object.fromEntries(members as readonly (readonly [string, unknown])[]);
  if (value instanceof Map)
    return { size: value.size, members: value, named: true, copy: (members) => new Map(entriesOf(members)) };
  if (value instanceof Set) {
    const { size, members, copy } = listOf([...value], false);
    return { size, members, named: false, copy: (cleaned) => new Set(copy(cleaned) as unknown[]) };
  }
  const isError = value instanceof Error;
  const concealed = isError ? ['message', 'stack', 'cause', 'errors'].filter((key) => key in value) : [];
  const keys = new Set([...concealed, ...Object.keys(value)]);
  const members: readonly Member[] = ['Headers', 'FormData'].some((name) => isA(value, name))
    ? [...(value as unknown as Iterable<Member>)]
    : [...keys].map((key) => [key, read(value, key), labelOf(value, key)]);
  const copy = isError
    ? (cleaned: readonly Member[]) => errorLike(value, cleaned, new Set(concealed))
    : asObject;
  return { size: members.length, members, named: true, copy };
}

/** @param isFlat - true if names and values alternate, as in a pair or in raw headers of a request. */
function listOf(list: readonly unknown[], isFlat: boolean): Container {
  function* members(): Generator<Member> {
    for (let at = 0; at < list.length; at++)
      yield [undefined, list[at], isFlat && at % 2 === 1 ? list[at - 1] : optionBefore(list, at)];
  }
  const copy = (cleaned: readonly Member[]) => cleaned.map(([, item]) => item);
  return { size: list.length, members: members(), named: false, copy };
}

/** Returns the option of a command line, such as `--token`, if its value is at the index. */
function optionBefore(list: readonly unknown[], at: number): string | undefined {
  const [before, value] = [list[at - 1], list[at]];
  if (typeof before !== 'string' || typeof value !== 'string' || value.startsWith('-')) return undefined;
  if (/^--[a-z][\w-]*$/i.test(before) && before !== '--user') {
    const secrecy = secrecyOf(before);
    return secrecy !== undefined && isSecret(value, secrecy, true) ? before : undefined;
  }
  if (before !== '-u' && before !== '--user') return undefined;
  const [program] = list;
  return typeof program === 'string' && /(?:^|[\\/])curl$/.test(program) && value.includes(':')
    ? 'password'
    : undefined;
}

/** True for an instance of a class that the runtime may not have. */
function isA(value: object, name: string): boolean {
  const type: unknown = Reflect.get(globalThis, name);
  return typeof type === 'function' && value instanceof type;
}

function entriesOf(members: readonly Member[]): (readonly [unknown, unknown])[] {
  return members.map(([key, item]) => [key, item]);
}

/** A member called `value` is labelled by its sibling: `{ name: 'Authorization', value: '...' }`. */
function labelOf(value: object, key: string): string {
  const beside = key === 'value' ? (read(value, 'name') ?? read(value, 'key')) : undefined;
  return typeof beside === 'string' && secrecyOf(beside) !== undefined ? beside : key;
}

function errorLike(error: Error, members: readonly Member[], concealed: ReadonlySet<unknown>): Error {
  const copy = new Error(error.name);
  Object.setPrototypeOf(copy, Object.getPrototypeOf(error) as object);
  for (const [key, value] of members) {
    const enumerable = !concealed.has(key);
    Object.defineProperty(copy, String(key), { value, enumerable, configurable: true, writable: true });
  }
  return copy;
}

function read(value: object, name: string): unknown {
  try {
    return (value as Record<string, unknown>)[name];
  } catch {
    return unreadable;
  }
}

// Not a text, so that it counts as changed.
const unreadable = Symbol('unreadable');
