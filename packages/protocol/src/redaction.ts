import { type Secrecy, secrecyOf } from './secret-names.js';
import { redacted, redactText } from './secret-text.js';

/** Makes a copy of a value that may be shown to others. Must not change the value itself. */
export type Redactor = (value: unknown) => unknown;

/** How {@link redact} goes about it. */
export interface RedactOptions {
  /** What becomes of each text. Default {@link redactText}. */
  readonly text?: (text: string) => string;
  /** Levels that are looked at; what is below is left out. Default 32. */
  readonly depth?: number;
  /** Values that are looked at. Default 10,000. */
  readonly values?: number;
  /** Characters of all texts together. Default 1,048,576. */
  readonly characters?: number;
}

/**
 * A value without secrets: members with names such as `authorization`, `password` or `apiKey` lose their value, and every
 * text is cleaned. What holds none is returned as it is, the rest as a copy. Errors stay errors: their message, stack,
 * cause and members are cleaned. Never throws; depth, members and length are bounded, and what is beyond is left out.
 */
export function redact(value: unknown, options: RedactOptions = {}): unknown {
  return new Walk(options).clean(value, undefined);
}

/**
 * What an option `redact` stands for: the rules of {@link redact}, those and then a function, or, if it is false, nothing
 * at all. Of what the function fails on, nothing is shown.
 * @throws TypeError for anything else.
 */
export function redactorOf(option: false | Redactor | undefined, first: Redactor = redact): Redactor {
  if (option === undefined) return first;
  if (option === false) return (value) => value;
  if (typeof option !== 'function') {
    throw new TypeError(
      'The option "redact" takes false, or a function from a value to what may be shown of it.',
    );
  }
  if (Object.prototype.toString.call(option) === '[object AsyncFunction]')
    throw new TypeError('The option "redact" must answer at once, and this is an async function.');
  return (value) => {
    try {
      return option(first(value));
    } catch {
      return '[redaction failed]';
    }
  };
}

class Walk {
  readonly #cleanText: (text: string) => string;
  readonly #depth: number;
  readonly #above: object[] = [];
  #values: number;
  #characters: number;

  constructor(options: RedactOptions) {
    const { text = redactText, depth = 32, values = 10_000, characters = 1_048_576 } = options;
    this.#cleanText = text;
    this.#depth = depth;
    this.#values = values;
    this.#characters = characters;
  }

  /** @param hidden - what a name above says of everything below it. */
  clean(value: unknown, hidden: Secrecy | undefined): unknown {
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
      return this.#object(value, hidden);
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
    return `${this.#cleanText(text.slice(0, left))}… (${text.length - left} more characters)`;
  }

  #object(value: object, hidden: Secrecy | undefined): unknown {
    if (Array.isArray(value)) return this.#list(value, hidden);
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (value instanceof Error) return this.#error(value, hidden);
    if (value instanceof Map) return this.#map(value, hidden);
    if (value instanceof Set) return this.#set(value, hidden);
    if (isHeaders(value)) return Object.fromEntries(this.#members([...value], hidden).entries);
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') {
      const json: unknown = toJSON.call(value, '');
      const clean = json === value ? value : this.clean(json, hidden);
      return clean === json ? value : clean;
    }
    const { entries, changed } = this.#members(membersOf(value), hidden);
    return changed ? Object.fromEntries(entries) : value;
  }

  /** @param isFlat - names and values take turns, as in the raw headers of a request. */
  #list(list: readonly unknown[], hidden: Secrecy | undefined, isFlat: boolean = list.length === 2): unknown {
    const clean: unknown[] = [];
    let changed = false;
    for (let index = 0; index < list.length; index++) {
      const item = list[index];
      const name = isFlat && index % 2 === 1 ? list[index - 1] : undefined;
      const cleaned = this.clean(item, hidden ?? (typeof name === 'string' ? secrecyOf(name) : undefined));
      changed ||= !Object.is(cleaned, item);
      clean.push(cleaned);
      if (this.#values <= 0 && index + 1 < list.length) {
        clean.push(`[${list.length - index - 1} left out]`);
        return clean;
      }
    }
    return changed ? clean : list;
  }

  #members(
    members: readonly (readonly [name: string, value: unknown])[],
    hidden: Secrecy | undefined,
  ): { readonly entries: readonly (readonly [string, unknown])[]; readonly changed: boolean } {
    const entries: [string, unknown][] = [];
    const ofPair = secrecyOfPair(members);
    let changed = false;
    for (const [name, value] of members) {
      if (this.#values <= 0) {
        entries.push(['…', `[${members.length - entries.length} left out]`]);
        return { entries, changed: true };
      }
      const own = name === 'value' ? (ofPair ?? secrecyOf(name)) : secrecyOf(name);
      const cleanName = this.#text(name);
      const clean =
        name === 'rawHeaders' && Array.isArray(value)
          ? this.#list(value, hidden, true)
          : this.clean(value, hidden ?? own);
      changed ||= !Object.is(clean, value) || cleanName !== name;
      entries.push([cleanName, clean]);
    }
    return { entries, changed };
  }

  #map(map: ReadonlyMap<unknown, unknown>, hidden: Secrecy | undefined): unknown {
    const clean = new Map<unknown, unknown>();
    let changed = false;
    for (const [key, value] of map) {
      if (this.#values <= 0) return clean.set('…', `[${map.size - clean.size} left out]`);
      const cleanKey = this.clean(key, undefined);
      const cleanValue = this.clean(value, hidden ?? (typeof key === 'string' ? secrecyOf(key) : undefined));
      changed ||= !Object.is(cleanKey, key) || !Object.is(cleanValue, value);
      clean.set(cleanKey, cleanValue);
    }
    return changed ? clean : map;
  }

  #set(set: ReadonlySet<unknown>, hidden: Secrecy | undefined): unknown {
    const items = [...set];
    const clean = this.#list(items, hidden);
    return clean === items ? set : new Set(clean as unknown[]);
  }

  #error(error: Error, hidden: Secrecy | undefined): unknown {
    const concealed: [string, unknown][] = [];
    for (const name of ['message', 'stack', 'cause', 'errors'] as const) {
      if (name in error) concealed.push([name, (error as unknown as Record<string, unknown>)[name]]);
    }
    const own = membersOf(error).filter(([name]) => !concealed.some(([other]) => other === name));
    const inner = this.#members(concealed, hidden);
    const outer = this.#members(own, hidden);
    if (!inner.changed && !outer.changed) return error;
    const copy = new Error(error.name);
    Object.setPrototypeOf(copy, Object.getPrototypeOf(error) as object);
    for (const [name, value] of inner.entries) define(copy, name, { value, enumerable: false });
    for (const [name, value] of outer.entries) define(copy, name, { value, enumerable: true });
    return copy;
  }
}

function define(target: object, name: string, { value, enumerable }: PropertyDescriptor): void {
  Object.defineProperty(target, name, {
    value,
    enumerable: enumerable === true,
    configurable: true,
    writable: true,
  });
}

function membersOf(value: object): [name: string, value: unknown][] {
  return Object.keys(value).map((name) => [name, read(value, name)]);
}

function read(value: object, name: string): unknown {
  try {
    return (value as Record<string, unknown>)[name];
  } catch {
    return unreadable;
  }
}

// No text, so that it counts as changed.
const unreadable = Symbol('unreadable');

/** What a member called `value` is, where one beside it tells: `{ name: 'Authorization', value: '...' }`. */
function secrecyOfPair(members: readonly (readonly [string, unknown])[]): Secrecy | undefined {
  const label = members.find(([name]) => name === 'name' || name === 'key')?.[1];
  return typeof label === 'string' ? secrecyOf(label) : undefined;
}

function isHeaders(value: object): value is Iterable<[string, string]> & object {
  return typeof Headers === 'function' && value instanceof Headers;
}
