import type { Expression, VariableSpec } from './parse.js';
import type { Capture } from './program.js';

/** Values by variable name; no prototype, so that every name is safe. */
export type MatchedValues = { [variable: string]: string | string[] };

/**
 * Returns the variables' decoded values. Undefined if a value is not valid percent-encoded UTF-8, is longer than its
 * variable allows, or contradicts another of the same name.
 */
export function readValues(
  captures: readonly Capture[],
  marks: Int32Array,
  text: string,
): MatchedValues | undefined {
  const read = new Reading();
  for (const { expression, variable, mark } of captures) {
    const from = marks[mark] ?? -1;
    const to = marks[mark + 1] ?? -1;
    if (from < 0 || to < 0) continue;
    const part = text.slice(from, to);
    const spec = variable === undefined ? undefined : expression.variables[variable];
    const isRead =
      spec === undefined ? read.named(expression, part) : read.positional(expression, spec, part);
    if (!isRead) return undefined;
  }
  return read.finish();
}

class Reading {
  readonly #values: MatchedValues = Object.create(null) as MatchedValues;
  /** Beginnings of values, from variables with a length. */
  readonly #beginnings: [name: string, beginning: string][] = [];

  positional({ operator }: Expression, spec: VariableSpec, part: string): boolean {
    const value = spec.explode ? decodedList(part.split(operator.separator)) : decoded(part);
    return value !== undefined && this.#set(spec, value);
  }

  named({ operator, variables }: Expression, part: string): boolean {
    const lists = new Map<VariableSpec, string[]>();
    for (const pair of part.slice(operator.first.length).split(operator.separator)) {
      const equals = pair.indexOf('=');
      const name = equals < 0 ? pair : pair.slice(0, equals);
      const spec = variables.find((variable) => variable.name === name);
      const value = decoded(equals < 0 ? '' : pair.slice(equals + 1));
      if (spec === undefined || value === undefined) return false;
      const list = lists.get(spec);
      if (list !== undefined && !spec.explode) return false;
      if (list === undefined) lists.set(spec, [value]);
      else list.push(value);
    }
    for (const [spec, list] of lists)
      if (!this.#set(spec, spec.explode ? list : (list[0] ?? ''))) return false;
    return true;
  }

  /** Returns the values after the check that the beginnings match them. */
  finish(): MatchedValues | undefined {
    for (const [name, beginning] of this.#beginnings) {
      const value = this.#values[name] ?? beginning;
      if (typeof value !== 'string' || !value.startsWith(beginning)) return undefined;
      this.#values[name] = value;
    }
    return this.#values;
  }

  #set({ name, length }: VariableSpec, value: string | string[]): boolean {
    if (length !== undefined && typeof value === 'string') {
      this.#beginnings.push([name, value]);
      return [...value].length <= length;
    }
    const earlier = this.#values[name];
    this.#values[name] = value;
    return earlier === undefined || String(earlier) === String(value);
  }
}

function decoded(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function decodedList(texts: readonly string[]): string[] | undefined {
  const values: string[] = [];
  for (const text of texts) {
    const value = decoded(text);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}
