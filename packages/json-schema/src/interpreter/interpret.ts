import { OutOfSteps } from '@tenon/json-schema';
import { isObject, type UnknownObject } from '@tenon/json-schema/structure';
import { compileDocument } from './compile.js';
import type { SchemaDialect } from './keyword.js';
import { Run, type ValueIssue } from './run.js';

/**
 * Default limit of steps for one check of a value: well under 100 ms. A step is one schema applied to one value. Names, long
 * texts, patterns and comparisons between members cost more.
 */
export const defaultSteps = 300_000;

/** The way a schema is read, and the limits of each check. */
export interface InterpretOptions {
  readonly dialect: SchemaDialect;
  /** The most issues reported for one value. */
  readonly mostIssues: number;
  /** The most steps of one check; default {@link defaultSteps}. */
  readonly steps?: number;
  /**
   * Called with each pattern that is not a regular expression of ECMAScript. Its keyword is then left unchecked, and a
   * `not`, `oneOf`, `if` or `contains` around it as well. Default: the schema is rejected.
   */
  readonly uncheckedPattern?: (pattern: string) => void;
}

/**
 * Returns the problems of a value, or undefined; never changes the value.
 * @throws OutOfSteps if the check takes more steps than allowed, and RangeError for a value nested too deeply.
 */
export type InterpretedCheck = (value: unknown) => readonly ValueIssue[] | undefined;

/**
 * Returns the check of a JSON Schema, without generated code: safe for schemas of a peer, and for runtimes that forbid `eval`.
 * Fetches nothing, treats `format` as an annotation, and rejects schemas that cannot be checked in bounded time.
 * @throws TypeError with the reason that the schema is rejected; the sentence calls the schema "it" or "schema/path".
 */
export function interpret(schema: unknown, options: InterpretOptions): InterpretedCheck {
  if (typeof schema === 'boolean') return compiled({ allOf: [schema] }, options);
  if (!isObject(schema)) throw new TypeError('it is neither an object nor true or false');
  return compiled(schema, options);
}

function compiled(schema: UnknownObject, options: InterpretOptions): InterpretedCheck {
  const { dialect, mostIssues, steps = defaultSteps, uncheckedPattern } = options;
  const node = compileDocument(schema, { dialect, uncheckedPattern });
  return (value) => {
    const first = new Run(steps, 0);
    if (node(value, first, undefined)) return undefined;
    // As many steps as for the first problem, and a few more to find others.
    const run = new Run(first.spent + Math.ceil(steps / 8), mostIssues);
    try {
      node(value, run, undefined);
    } catch (error) {
      // The value does not fit; only the list of reasons is incomplete.
      if (!(error instanceof OutOfSteps)) throw error;
    }
    return run.issues.length > 0 ? run.issues : [{ path: [], message: 'does not match the schema' }];
  };
}

/**
 * Returns a function that counts the steps of validators that try each branch of an `anyOf` to its end. It reports no problems.
 * @throws OutOfSteps if it takes more steps than allowed; TypeError for a schema that {@link interpret} rejects.
 */
export function measure(schema: UnknownObject, { dialect, steps }: MeasureOptions): (value: unknown) => void {
  const node = compileDocument(schema, { dialect });
  return (value) => {
    node(value, new Run(steps, 0, true), undefined);
  };
}

/** The way a schema is read, and the limit of steps. */
export interface MeasureOptions {
  readonly dialect: SchemaDialect;
  readonly steps: number;
}
