import { OutOfSteps } from '@tenon/json-schema';
import { isObject, type UnknownObject } from '@tenon/json-schema/structure';
import { compileDocument } from './interpreter/compile.js';
import type { SchemaDialect } from './interpreter/keyword.js';
import { Run, type ValueIssue } from './interpreter/run.js';

export { documentLimits } from './interpreter/document.js';
export type { SchemaDialect } from './interpreter/keyword.js';
export type { ValueIssue } from './interpreter/run.js';
export { type Verdict, type WeighOptions, weigh } from './interpreter/weigh.js';

/**
 * Steps one check of a value may take by default: well under 100 ms. A step is one schema looked at for one value; names,
 * long texts, patterns and members that are compared with each other cost more, by what they take.
 */
export const defaultSteps = 300_000;

/** How a schema is read, and how much a check by it may cost and tell. */
export interface InterpretOptions {
  readonly dialect: SchemaDialect;
  /** Issues told of one value. */
  readonly mostIssues: number;
  /** Default {@link defaultSteps}. */
  readonly steps?: number;
}

/**
 * Gives what is wrong with a value, or nothing; the value is never changed.
 * @throws OutOfSteps when the check takes longer than it may, and RangeError for a value nested too deeply.
 */
export type InterpretedCheck = (value: unknown) => readonly ValueIssue[] | undefined;

/**
 * The check of a JSON Schema, without generated code: safe for schemas of a peer, and where a runtime forbids `eval`.
 * Nothing is fetched, `format` is an annotation, and what cannot be checked in bounded time is refused.
 * @throws TypeError that says why the schema is refused; the sentence calls it "it" or "schema/path".
 */
export function interpret(schema: unknown, options: InterpretOptions): InterpretedCheck {
  if (typeof schema === 'boolean') return compiled({ allOf: [schema] }, options);
  if (!isObject(schema)) throw new TypeError('it is neither an object nor true or false');
  return compiled(schema, options);
}

function compiled(schema: UnknownObject, options: InterpretOptions): InterpretedCheck {
  const { dialect, mostIssues, steps = defaultSteps } = options;
  const node = compileDocument(schema, { dialect });
  return (value) => {
    const first = new Run(steps, 0);
    if (node(value, first, undefined)) return undefined;
    // As far again as the first flaw, and a little further for others.
    const run = new Run(first.spent + Math.ceil(steps / 8), mostIssues);
    try {
      node(value, run, undefined);
    } catch (error) {
      // That it does not fit is known by now; only the list of reasons is cut short.
      if (!(error instanceof OutOfSteps)) throw error;
    }
    return run.issues.length > 0 ? run.issues : [{ path: [], message: 'does not match the schema' }];
  };
}

/**
 * Walks through a value by a schema as validators do that try each branch of an `anyOf` to its end, and finds nothing but
 * out how long that takes.
 * @throws OutOfSteps when it takes more steps than given; TypeError for a schema that {@link interpret} refuses.
 */
export function measure(schema: UnknownObject, { dialect, steps }: MeasureOptions): (value: unknown) => void {
  const node = compileDocument(schema, { dialect });
  return (value) => {
    node(value, new Run(steps, 0, true), undefined);
  };
}

/** How a schema is read, and how long a walk may be. */
export interface MeasureOptions {
  readonly dialect: SchemaDialect;
  readonly steps: number;
}
