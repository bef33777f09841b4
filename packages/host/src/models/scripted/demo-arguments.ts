import { isRecord, jsonIn } from '@tenon/foundation';
import type { JsonObject, JsonValue, SchemaObject } from '@tenon/mcp-protocol';

/** The arguments for a tool, and the names of required members without a value. */
export interface ToolArguments {
  readonly args: JsonObject;
  readonly missing: readonly string[];
}

/** Words that are never a value by themselves. */
const fillers = new Set([
  'and',
  'the',
  'a',
  'an',
  'with',
  'to',
  'of',
  'for',
  'please',
  'in',
  'by',
  'is',
  'me',
]);

/**
 * Finds arguments in words: `name=value` first, then values of the right type in the order of the schema's members. Texts are in quotes, or
 * else the remaining words.
 */
export function argumentsFor(words: string, { properties, required }: SchemaObject): ToolArguments {
  const members = isRecord(properties) ? Object.entries(properties) : [];
  const wanted = new Set<unknown>(Array.isArray(required) ? required : []);
  const values = new Words(words);
  const named = values.takeNamed(new Set(members.map(([name]) => name)));
  const args: Record<string, JsonValue> = {};
  // Required members choose first.
  const inOrder = [...members].sort(([a], [b]) => Number(wanted.has(b)) - Number(wanted.has(a)));
  for (const [name, member] of inOrder) {
    const schema: SchemaObject = isRecord(member) ? member : {};
    const given = named.get(name);
    const value = given === undefined ? values.take(schema, wanted.has(name)) : converted(given, schema);
    if (value !== undefined) args[name] = value;
  }
  const missing = inOrder.map(([name]) => name).filter((name) => wanted.has(name) && !(name in args));
  return { args, missing };
}

/** The words that no argument has yet. */
class Words {
  #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Removes `name=value` and `name: value` of members. */
  takeNamed(names: ReadonlySet<string>): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    this.#text = this.#text.replace(
      /([\p{L}_][\p{L}\d_-]*)\s?[=:]\s?("[^"]*"|'[^']*'|[^\s,]+)/gu,
      (all, name: string, value: string) => {
        if (!names.has(name)) return all;
        found.set(name, value.replace(/^(["'])(.*)\1$/s, '$2'));
        return ' ';
      },
    );
    return found;
  }

  /** Removes and returns a value for a member. @param isWanted - false: a text must be in quotes. */
  take(schema: SchemaObject, isWanted: boolean): JsonValue | undefined {
    const { type, enum: choices } = schema;
    if (Array.isArray(choices)) {
      const choice = choices.find((one) => typeof one === 'string' && this.#has(one)) as string | undefined;
      return choice;
    }
    if (type === 'number' || type === 'integer') {
      const number = this.#match(/(?<![\p{L}\d_.])-?\d+(?:\.\d+)?(?![\p{L}\d_])/u);
      return number === undefined ? undefined : Number(number);
    }
    if (type === 'boolean') {
      const word = this.#match(/\b(?:true|false|yes|no)\b/i);
      return word === undefined ? undefined : /true|yes/i.test(word);
    }
    if (type === 'array' || type === 'object') return undefined;
    const quoted = this.#match(/"[^"]*"|'[^']*'/);
    if (quoted !== undefined) return quoted.slice(1, -1);
    return isWanted ? this.#rest() : undefined;
  }

  #match(pattern: RegExp): string | undefined {
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#text = `${this.#text.slice(0, found.index)} ${this.#text.slice(found.index + found[0].length)}`;
    return found[0];
  }

  #has(word: string): boolean {
    return this.#text
      .toLowerCase()
      .split(/[^\p{L}\d_-]+/u)
      .includes(word.toLowerCase());
  }

  #rest(): string | undefined {
    const words = this.#text.split(/\s+/).filter((word) => word !== '');
    while (words[0] !== undefined && fillers.has(words[0].toLowerCase())) words.shift();
    this.#text = '';
    return words.length === 0 ? undefined : words.join(' ').replace(/[.!?]+$/, '');
  }
}

function converted(text: string, { type }: SchemaObject): JsonValue {
  if (type === undefined || type === 'string') return text;
  return jsonIn(text, text) as JsonValue;
}
