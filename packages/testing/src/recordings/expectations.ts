import { isRecord } from '@tenon/foundation';
import { interpret } from '@tenon/json-schema/interpreter';

const keyword = '$expect';

/** The requirements on a value that the author of a recording wrote in its place. All of them must be met. */
export interface Expectation {
  /** True for any value. */
  readonly any?: true;
  /** A regular expression for a text. */
  readonly regex?: string;
  /** A JSON Schema, 2020-12. */
  readonly schema?: object | boolean;
  /** Members of an object that has others. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** A value that a list contains. */
  readonly contains?: unknown;
  /** The value itself, for values that look like an expectation. */
  readonly equals?: unknown;
  /** The value to send where this end is played. */
  readonly example?: unknown;
}

type Check = (value: unknown) => string | undefined;

const names = new Set(['any', 'regex', 'schema', 'members', 'contains', 'equals', 'example']);
const checks = new WeakMap<object, Check>();

/** Returns the expectation that stands for a value of a recording; undefined for a plain value. */
export function expectationIn(value: unknown): Expectation | undefined {
  if (!isRecord(value) || !Object.hasOwn(value, keyword)) return undefined;
  return Object.keys(value).length === 1 && isRecord(value[keyword]) ? value[keyword] : undefined;
}

/** Returns a message in which values that look like expectations stand for themselves. */
export function withExpectationsEscaped(message: unknown): unknown {
  if (typeof message !== 'object' || message === null) return message;
  if (Array.isArray(message)) return eachItem(message, withExpectationsEscaped);
  if (expectationIn(message) !== undefined) return { [keyword]: { equals: message } };
  let isChanged = false;
  const entries = Object.entries(message).map(([name, value]) => {
    const escaped = withExpectationsEscaped(value);
    isChanged ||= escaped !== value;
    return [name, escaped] as const;
  });
  return isChanged ? Object.fromEntries(entries) : message;
}

/** Returns the value that stands for an expectation where its end is played; undefined if it has none. */
export function exampleOf(expectation: Expectation): unknown {
  return expectation.example ?? expectation.equals;
}

/** Returns the first problem of the expectations in a recorded message; undefined if there is none. @param isPlayed - true if its end is played */
export function expectationProblem(message: unknown, isPlayed: boolean): string | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const expectation = expectationIn(message);
  const inside =
    expectation === undefined ? Object.values(message) : [expectation.members, expectation.contains];
  if (expectation !== undefined) {
    const unknown = Object.keys(expectation).find((name) => !names.has(name));
    if (unknown !== undefined)
      return `"${keyword}" has no member "${unknown}": it may have ${[...names].join(', ')}.`;
    if (Object.keys(expectation).every((name) => name === 'example'))
      return `"${keyword}" requires nothing: add ${[...names].slice(0, -1).join(', ')}.`;
    try {
      checkOf(expectation);
    } catch (error) {
      return `"${keyword}" has a regex or schema that cannot be used: ${(error as Error).message}.`;
    }
    if (isPlayed && exampleOf(expectation) === undefined)
      return `"${keyword}" needs an "example": the value that is sent when this end is played.`;
  }
  for (const value of inside) {
    const problem = expectationProblem(value, isPlayed && expectation === undefined);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Returns the requirement of the regular expression or the schema that a value does not meet, in words. */
export function unmetCheck(expectation: Expectation, value: unknown): string | undefined {
  return checkOf(expectation)(value);
}

function checkOf(expectation: Expectation): Check {
  const known = checks.get(expectation);
  if (known !== undefined) return known;
  const { regex, schema } = expectation;
  const options = { dialect: '2020-12', mostIssues: 3 } as const;
  const matches =
    regex === undefined ? undefined : interpret({ type: 'string', pattern: String(regex) }, options);
  const fits = schema === undefined ? undefined : interpret(schema, options);
  const check: Check = (value) => {
    if (matches?.(value) !== undefined) return `a text that matches ${regex}`;
    const [issue] = fits?.(value) ?? [];
    if (issue === undefined) return undefined;
    return `a value of the schema (${[...issue.path.map(String), issue.message].join(' ')})`;
  };
  checks.set(expectation, check);
  return check;
}

function eachItem(list: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const changed = list.map(change);
  return changed.some((item, index) => item !== list[index]) ? changed : list;
}
