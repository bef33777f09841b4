import { type Dialect, type LibraryBounds, OutOfSteps, stoppedProblem } from '@tenon/json-schema';
import { isSmall, lightness, type Smallness, type UnknownObject } from '@tenon/json-schema/structure';
import { interpret, measure } from './interpret.js';
import type { ValueIssue } from './run.js';
import { weigh } from './weigh.js';

/** The most steps for trying each branch of a recursive union to its end. */
const unionSteps = 30_000;

/** A library's schema, and the values it is for. */
export interface Guarded {
  /** The schema as listed. */
  readonly json: UnknownObject;
  /** The JSON Schema of accepted values; undefined if JSON Schema cannot express it. */
  readonly accepted: UnknownObject | undefined;
  /** True if the library can take long for a small value, because a union refers to itself. */
  readonly slow: boolean;
  readonly dialect: Dialect;
  readonly bounds: LibraryBounds;
  /** True for values of a peer, false for values of the author's own handlers. */
  readonly foreign: boolean;
  /** The most problems reported for a rejected value. */
  readonly mostIssues: number;
}

/** Returns the problems of a value that would keep a library busy; undefined for all other values. */
export type LibraryGuard = (value: unknown) => readonly ValueIssue[] | undefined;

/**
 * Returns the guard of a library's schema, for large values and for slow schemas. A library checks all of a value and reports
 * every problem, which takes many times as long as a valid value. If a union refers to itself, some libraries double the work
 * at each level.
 */
export function libraryGuard(guarded: Guarded): LibraryGuard {
  const { json, accepted, slow, dialect, bounds, foreign, mostIssues } = guarded;
  const unions = slow ? measure(json, { dialect, steps: unionSteps }) : undefined;
  const { schemaSteps: steps, schemaProblems: problems } = bounds;
  const verdict = attempt(() => accepted && weigh(accepted, { dialect, steps, problems, doubts: foreign }));
  // Where the schema accepts anything, each part of a peer's value may be a problem; the author's own values are trusted.
  const size: Smallness = { ...lightness, parts: problems };
  const weighed = verdict ?? ((value: unknown) => (!foreign || isSmall(value, size) ? 'light' : 'problems'));
  const explain = (value: unknown): readonly ValueIssue[] => {
    const head = `more than ${problems} values do not fit the schema, or only its library can tell; send fewer`;
    const named = attempt(() => interpret(accepted, { dialect, mostIssues: mostIssues - 1 })(value)) ?? [];
    return [{ path: [], message: head }, ...named];
  };
  return (value) => {
    try {
      unions?.(value);
      const found = slow && isSmall(value, lightness) ? 'light' : weighed(value);
      if (found === 'steps') throw new OutOfSteps();
      return found === 'problems' ? explain(value) : undefined;
    } catch (error) {
      return [{ path: [], message: stoppedProblem(error) }];
    }
  };
}

/** Returns undefined for schemas that the interpreter rejects. */
function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
