import type { SchemaObject } from '@tenon/mcp-protocol';
import type { Check } from './ajv.js';
import { checkSchema } from './check.js';
import { dialectOf } from './dialect.js';
import { isStackOverflow, issue, maxIssues, type Outcome, tooDeep } from './issues.js';
import type { FromLiteral } from './literal.js';
import { plainSchema, requireObjectRoot } from './plain.js';
import {
  isStandardSchema,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
} from './standard.js';
import { standardJson } from './standard-json.js';

export { describeIssues, type Issue, type Outcome } from './issues.js';
export type { FromLiteral } from './literal.js';
export type { StandardSchema } from './standard.js';

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
}

/** A checked schema, ready to be listed and to validate. */
export interface CompiledSchema {
  /** The JSON Schema to list; plain JSON Schema stands here as it was written. */
  readonly json: SchemaObject;
  /**
   * Checks a value. A Standard Schema may change it (defaults, conversions); plain JSON Schema never does. A promise
   * only before a plain schema's validator is loaded, and for a library's own asynchronous checks.
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
  checkSchema(json, { owner: use.owner, dialect: dialectOf(json, use.owner) });
  const standard = schema['~standard'];
  return {
    json,
    validate(value) {
      try {
        const result = standard.validate(value);
        return result instanceof Promise ? result.then(toOutcome, orTooDeep) : toOutcome(result);
      } catch (error) {
        return orTooDeep(error);
      }
    },
    prepare: async () => {},
  };
}

function compilePlain(schema: unknown, { owner, direction }: SchemaUse): CompiledSchema {
  const json = plainSchema(schema, owner);
  const dialect = dialectOf(json, owner);
  if (direction === 'input') requireObjectRoot(json, owner);
  checkSchema(json, { owner, dialect });
  let validate: ((value: unknown) => Outcome) | undefined;
  let loading: Promise<Check> | undefined;
  const load = async (): Promise<(value: unknown) => Outcome> => {
    loading ??= import('./ajv.js').then(({ loadCheck }) =>
      loadCheck(json, { owner, dialect, mostIssues: maxIssues }),
    );
    const check = await loading;
    validate = (value) => outcomeOf(check, value);
    return validate;
  };
  return {
    json,
    validate: (value) => (validate === undefined ? load().then((loaded) => loaded(value)) : validate(value)),
    prepare: async () => {
      await load();
    },
  };
}

function outcomeOf(check: Check, value: unknown): Outcome {
  try {
    const issues = check(value);
    return issues === undefined ? { ok: true, value } : refusal(issues);
  } catch (error) {
    return orTooDeep(error);
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

function orTooDeep(error: unknown): Outcome {
  if (isStackOverflow(error)) return tooDeep;
  throw error;
}
