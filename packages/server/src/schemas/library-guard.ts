import { type Dialect, isSmall, needsInterpreter, type Smallness } from '@tenon/json-schema';
import type { SchemaObject } from '@tenon/mcp-protocol';
import { brokenOff, issue, maxIssues, type Outcome, tooCostly } from './issues.js';

/** Libraries that look no longer at a union that holds itself, for what its branches have in common. */
const quick: ReadonlySet<string> = new Set(['zod', 'arktype']);
/** Steps of a check that tries each branch of a union that holds itself to its end. */
const unionSteps = 30_000;

/** How much work a value may be for a schema library. */
export interface LibraryBounds {
  /** Schemas looked at for the values inside one value. */
  readonly schemaSteps: number;
  /** Places in one value that do not fit the listed schema, or that only the library can check. */
  readonly schemaProblems: number;
}

export const defaultLibraryBounds: LibraryBounds = { schemaSteps: 5_000_000, schemaProblems: 10_000 };

/**
 * The refusal of a value that would keep a library busy; undefined for every other value. Called for values that are not small,
 * and for all where {@link LibraryGuard.always} says so.
 */
export type Guard = (value: unknown) => Outcome | undefined;

/** A guard, loaded when the first value needs one. */
export interface LibraryGuard {
  /** True for schemas that need the guard for small values too. */
  readonly always: boolean;
  readonly load: () => Promise<Guard>;
}

/** A library's schema as values are checked by it. */
export interface Guarded {
  /** As it is listed. */
  readonly json: SchemaObject;
  /** What the library checks; undefined where JSON Schema cannot say it. */
  readonly accepted: () => SchemaObject | undefined;
  readonly vendor: string;
  readonly dialect: Dialect;
  readonly bounds: LibraryBounds;
  /** True for values of a peer, false for those of the author's own handlers. */
  readonly foreign: boolean;
}

/** How small a value is that goes straight to its library, which has little work with it whatever is wrong. */
export const lightness: Smallness = { charactersPerPart: 16 };

/**
 * The guard of a schema. A library tries all of a value and reports every problem in it, which takes it many times as
 * long as a value that fits; where a union refers to itself, some libraries double the work at each level.
 */
export function guardOf(guarded: Guarded): LibraryGuard {
  const { json, vendor } = guarded;
  const always = !quick.has(vendor) && needsInterpreter(json) && JSON.stringify(json).includes('"anyOf"');
  return { always, load: () => loadGuard(guarded, always) };
}

async function loadGuard(guarded: Guarded, always: boolean): Promise<Guard> {
  const interpreter = await import('@tenon/json-schema/interpreter');
  const { json, accepted, dialect, bounds, foreign } = guarded;
  const unions = always ? interpreter.measure(json, { dialect, steps: unionSteps }) : undefined;
  const { schemaSteps: steps, schemaProblems: problems } = bounds;
  const schema = accepted();
  const verdict = attempt(
    () => schema && interpreter.weigh(schema, { dialect, steps, problems, doubts: foreign }),
  );
  // Where the schema says nothing, each part of a peer's value may be a problem; the author's own are trusted.
  const size: Smallness = { ...lightness, parts: problems };
  const weigh = verdict ?? ((value: unknown) => (!foreign || isSmall(value, size) ? 'light' : 'problems'));
  const explain = (value: unknown): Outcome => {
    const head = `more than ${problems} values do not fit the schema, or only its library can tell; send fewer`;
    const use = { dialect, mostIssues: maxIssues - 1 };
    const told = attempt(() => interpreter.interpret(schema, use)(value)) ?? [];
    const found = told.map(({ path, message }) => issue(path, message));
    return { ok: false, issues: [issue([], head), ...found] };
  };
  return (value) => {
    try {
      unions?.(value);
      const found = always && isSmall(value, lightness) ? 'light' : weigh(value);
      if (found === 'steps') return tooCostly;
      return found === 'problems' ? explain(value) : undefined;
    } catch (error) {
      return brokenOff(error);
    }
  };
}

/** Nothing for what the interpreter refuses. */
function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
