import { isObject } from './json.js';

/** A problem of a value that does not have the expected shape. `path` is dotted, and empty at the root. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** Checks a value without copying it. Returns undefined if the value has the expected shape. */
export type WireCheck = (value: unknown) => Problem | undefined;

/** Returns the problem as one sentence, with its path under `root`. */
export function describeProblem(problem: Problem, root: string): string {
  return `${under(root, problem).path.slice(0, longestPath)}: ${problem.message}`;
}

// Keys of maps come from the peer.
const longestPath = 256;

/** Returns a problem at the root of a value. */
export function rootProblem(message: string): Problem {
  return { path: '', message };
}

function under(key: string, inner: Problem): Problem {
  const joint = inner.path === '' || inner.path.startsWith('[') ? '' : '.';
  return { path: key + joint + inner.path, message: inner.message };
}

function unexpected(allowed: readonly string[]): Problem {
  return rootProblem(`expected one of ${allowed.map((word) => JSON.stringify(word)).join(', ')}`);
}

const expectedString = rootProblem('expected a string');
const expectedNumber = rootProblem('expected a number');
const expectedInteger = rootProblem('expected an integer');
const expectedBoolean = rootProblem('expected true or false');
const expectedObject = rootProblem('expected an object');
const expectedArray = rootProblem('expected an array');
const missing = rootProblem('is required');

/** Accepts every value but undefined. */
export const anything: WireCheck = () => undefined;

export const string: WireCheck = (value) => (typeof value === 'string' ? undefined : expectedString);

export const number: WireCheck = (value) => (typeof value === 'number' ? undefined : expectedNumber);

export const integer: WireCheck = (value) => (Number.isInteger(value) ? undefined : expectedInteger);

export const boolean: WireCheck = (value) => (typeof value === 'boolean' ? undefined : expectedBoolean);

/** Accepts any JSON object. */
export const record: WireCheck = (value) => (isObject(value) ? undefined : expectedObject);

/** Accepts an integer or a string: ids and progress tokens. */
export const token: WireCheck = (value) =>
  typeof value === 'string' || Number.isSafeInteger(value)
    ? undefined
    : rootProblem('expected a string or an integer');

/** Accepts numbers between two bounds, both included. */
export function between(low: number, high: number): WireCheck {
  const outside = rootProblem(`expected a number from ${low} to ${high}`);
  return (value) => (typeof value === 'number' && value >= low && value <= high ? undefined : outside);
}

/** Accepts one of a closed list of strings. */
export function oneOf(...allowed: readonly string[]): WireCheck {
  const known = new Set<unknown>(allowed);
  return (value) => (known.has(value) ? undefined : unexpected(allowed));
}

/** Accepts arrays if every member passes. */
export function list(item: WireCheck): WireCheck {
  return (value) => {
    if (!Array.isArray(value)) return expectedArray;
    for (let index = 0; index < value.length; index++) {
      const inner = item(value[index]);
      if (inner !== undefined) return under(`[${index}]`, inner);
    }
    return undefined;
  };
}

/** Accepts objects used as maps if every value passes. */
export function mapOf(item: WireCheck): WireCheck {
  return (value) => {
    if (!isObject(value)) return expectedObject;
    for (const key of Object.keys(value)) {
      const inner = item(value[key]);
      if (inner !== undefined) return under(key, inner);
    }
    return undefined;
  };
}

/** Accepts objects with the required members and well-formed optional ones; further members are left alone. */
export function object(
  required: Readonly<Record<string, WireCheck>>,
  optional: Readonly<Record<string, WireCheck>> = {},
): WireCheck {
  const needed = Object.keys(required);
  // Objects have few of the members they may have: a loop over the present members is shorter.
  const checks = new Map(Object.entries({ ...optional, ...required }));
  const [only, ...others] = checks;
  if (only !== undefined && others.length === 0) return member(only, needed.length === 1);
  return (value) => {
    if (!isObject(value)) return expectedObject;
    for (let index = 0; index < needed.length; index++) {
      const key = needed[index] as string;
      if (value[key] === undefined) return under(key, missing);
    }
    for (const key in value) {
      const check = checks.get(key);
      if (check === undefined) continue;
      const member = value[key];
      const inner = member === undefined ? undefined : check(member);
      if (inner !== undefined) return under(key, inner);
    }
    return undefined;
  };
}

/** An object with one member that matters. */
function member([key, check]: readonly [string, WireCheck], isRequired: boolean): WireCheck {
  return (value) => {
    if (!isObject(value)) return expectedObject;
    const inner = value[key];
    if (inner === undefined) return isRequired ? under(key, missing) : undefined;
    const problem = check(inner);
    return problem === undefined ? undefined : under(key, problem);
  };
}

/** Accepts values that pass every check. Returns the first problem otherwise. */
export function all(...checks: readonly WireCheck[]): WireCheck {
  return (value) => {
    for (const check of checks) {
      const inner = check(value);
      if (inner !== undefined) return inner;
    }
    return undefined;
  };
}

/** Chooses the check by a string member: one entry for each value that member may have. */
export function tagged(tag: string, variants: Readonly<Record<string, WireCheck>>): WireCheck {
  const table = new Map(Object.entries(variants));
  return (value) => {
    if (!isObject(value)) return expectedObject;
    const variant = value[tag];
    const check = typeof variant === 'string' ? table.get(variant) : undefined;
    return check === undefined ? under(tag, unexpected([...table.keys()])) : check(value);
  };
}
