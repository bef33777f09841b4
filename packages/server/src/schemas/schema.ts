import { checkSchema, dialectOf, isSmall } from '@tenon/json-schema';
import type { SchemaObject } from '@tenon/mcp-protocol';
import { brokenSchema } from './broken.js';
import { brokenOff, issue, maxIssues, type Outcome } from './issues.js';
import { defaultLibraryBounds, type Guard, guardOf, type LibraryBounds, lightness } from './library-guard.js';
import type { FromLiteral } from './literal.js';
import { plainSchema, requireObjectRoot } from './plain.js';
import {
  isStandardSchema,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
} from './standard.js';
import { acceptedJson, standardJson } from './standard-json.js';
import type { Check, CheckUse, Validator } from './validator.js';

export { describeIssues, type Issue, type Outcome } from './issues.js';
export type { LibraryBounds } from './library-guard.js';
export type { FromLiteral } from './literal.js';
export type { StandardSchema } from './standard.js';
export type { Validator } from './validator.js';

/**
 * What describes a value: a schema of a Standard Schema library that gives JSON Schema (zod 4.2, arktype 2.1.28,
 * valibot through `toStandardJsonSchema`), or plain JSON Schema of 2020-12 or, by `$schema`, draft-07.
 */
export type Schema = StandardSchema | SchemaObject;

/** What a peer or a handler hands to the schema; take a literal with a `const` type parameter to keep its types. */
export type InferInput<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly input: infer I }
    ? I
    : unknown
  : FromLiteral<S>;

/** What the schema makes of it: a library's defaults filled in, its conversions done. */
export type InferOutput<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly output: infer O }
    ? O
    : unknown
  : FromLiteral<S>;

/** Whose schema it is, for error texts, and whether it describes what comes in or what goes out. */
export interface SchemaUse {
  /** For example `tool "forecast" input`. */
  readonly owner: string;
  /** An input's root must be an object; an output may be any value. */
  readonly direction: 'input' | 'output';
  /** Validates plain schemas; by default they are compiled, or interpreted where that is not safe. */
  readonly validator?: Validator | undefined;
  /** How much work a value may be for a schema library. */
  readonly bounds?: LibraryBounds | undefined;
}

/** A checked schema, ready to be listed and to validate. */
export interface CompiledSchema {
  /** The JSON Schema to list; plain JSON Schema stands here as it was written. */
  readonly json: SchemaObject;
  /**
   * Checks a value. A Standard Schema may change it (defaults, conversions); plain JSON Schema never does. A promise
   * only before what checks it is loaded (the validator of a plain schema; what looks at a large value before a library
   * does), and for a library's own asynchronous checks.
   */
  validate(value: unknown): Outcome | Promise<Outcome>;
  /** Loads and compiles the validator now instead of at first use; rejects with TypeError for a broken schema. */
  prepare(): Promise<void>;
}

/**
 * Checks a schema at once and gives its validator.
 *
 * @throws TypeError when it is no schema this package can list and enforce; the message names the owner and the fix.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#json-schema-usage
 */
export function compileSchema(schema: Schema, use: SchemaUse): CompiledSchema {
  return isStandardSchema(schema) ? compileStandard(schema, use) : compilePlain(schema, use);
}

function compileStandard(schema: StandardSchema, use: SchemaUse): CompiledSchema {
  const json = standardJson(schema, use);
  const dialect = dialectOf(json, use.owner);
  checkSchema(json, { owner: use.owner, dialect });
  const standard = schema['~standard'];
  const check = (value: unknown): Outcome | Promise<Outcome> => {
    try {
      const result = standard.validate(value);
      return result instanceof Promise ? result.then(toOutcome, brokenOff) : toOutcome(result);
    } catch (error) {
      return brokenOff(error);
    }
  };
  const { bounds = defaultLibraryBounds, direction } = use;
  const foreign = direction === 'input';
  const accepted = foreign ? () => json : () => acceptedJson(schema);
  const { always, load } = guardOf({ json, accepted, vendor: standard.vendor, dialect, bounds, foreign });
  let guard: Guard | undefined;
  let loading: Promise<Guard> | undefined;
  const prepare = (): Promise<Guard> => {
    loading ??= load().then((loaded) => {
      guard = loaded;
      return loaded;
    });
    return loading;
  };
  return {
    json,
    validate(value) {
      if (!always && isSmall(value, lightness)) return check(value);
      if (guard !== undefined) return guard(value) ?? check(value);
      return prepare().then((loaded) => loaded(value) ?? check(value));
    },
    prepare: async () => {
      if (always) await prepare();
    },
  };
}

function compilePlain(schema: unknown, { owner, direction, validator }: SchemaUse): CompiledSchema {
  const json = plainSchema(schema, owner);
  const dialect = dialectOf(json, owner);
  if (direction === 'input') requireObjectRoot(json, owner);
  checkSchema(json, { owner, dialect });
  const use: CheckUse = { dialect, mostIssues: maxIssues };
  let check: Check | undefined;
  let loading: Promise<Check> | undefined;
  const make = (): Check | Promise<Check> => {
    if (loading !== undefined) return loading;
    try {
      const made = validator === undefined ? loadCheck(json, use) : validator.compile(json, use);
      if (!(made instanceof Promise)) {
        check = made;
        return made;
      }
      loading = made.then(
        (loaded) => {
          check = loaded;
          return loaded;
        },
        (cause: unknown) => {
          throw brokenSchema(cause, owner);
        },
      );
      return loading;
    } catch (cause) {
      return Promise.reject(brokenSchema(cause, owner));
    }
  };
  return {
    json,
    validate(value) {
      if (check !== undefined) return outcomeOf(check, value);
      const made = make();
      return made instanceof Promise
        ? made.then((loaded) => outcomeOf(loaded, value))
        : outcomeOf(made, value);
    },
    prepare: async () => {
      await (check ?? make());
    },
  };
}

/** Ajv where Node runs this package, the interpreter in bundles: `imports` in package.json decides about `#validator`. */
async function loadCheck(json: SchemaObject, use: CheckUse): Promise<Check> {
  const { validator } = await import('#validator');
  return validator.compile(json, use);
}

function outcomeOf(check: Check, value: unknown): Outcome {
  try {
    const issues = check(value);
    return issues === undefined ? { ok: true, value } : refusal(issues);
  } catch (error) {
    return brokenOff(error);
  }
}

function toOutcome(result: StandardResult<unknown>): Outcome {
  return result.issues === undefined ? { ok: true, value: result.value } : refusal(result.issues);
}

function refusal(issues: readonly StandardIssue[]): Outcome {
  return { ok: false, issues: issues.slice(0, maxIssues).map(toIssue) };
}

function toIssue({ path, message }: StandardIssue): ReturnType<typeof issue> {
  const keys = (path ?? []).map((part) => (typeof part === 'object' ? part.key : part));
  return issue(keys, message);
}
