import {
  acceptedJson,
  checkSchema,
  defaultLibraryBounds,
  dialectOf,
  inlineReferences,
  isSlow,
  type LibraryBounds,
} from '@tenon/json-schema';
import { isSmall, lightness } from '@tenon/json-schema/structure';
import type { SchemaObject } from '@tenon/mcp-protocol';
import { brokenOff, brokenSchema, issue, maxIssues, type Outcome } from './issues.js';
import type { FromLiteral } from './literal.js';
import { plainSchema, requireObjectRoot } from './plain.js';
import {
  isStandardSchema,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
} from './standard.js';
import { objectRoot, standardJson } from './standard-json.js';
import type { Check, CheckUse, Validator } from './validator.js';

export { describeIssues, type Issue, type Outcome } from './issues.js';
export type { FromLiteral } from './literal.js';
export type { StandardSchema } from './standard.js';
export type { Validator } from './validator.js';

/**
 * A description of a value: a schema of a Standard Schema library with JSON Schema support (zod 4.2, arktype 2.1.28,
 * valibot through `toStandardJsonSchema`), or plain JSON Schema of 2020-12 or, by `$schema`, draft-07.
 */
export type Schema = StandardSchema | SchemaObject;

/** Members of an object of schemas, such as `{ city: z.string() }`; never for one schema. */
type ShapeKeys<S> = S extends StandardSchema
  ? never
  : S extends { readonly [member: string]: StandardSchema }
    ? keyof S
    : never;

/** The schema; for an object of schemas, which would pass for plain JSON Schema, a text that the compiler shows in its error. */
export type OneSchema<S> = [ShapeKeys<S>] extends [never]
  ? S
  : 'an object of schemas: make it one schema, as in z.object({ ... })';

/** The input type of a schema; use a `const` type parameter for a literal to keep its types. */
export type InferInput<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly input: infer I }
    ? I
    : unknown
  : FromLiteral<S>;

/** The output type of a schema: with a library's defaults and conversions. */
export type InferOutput<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly output: infer O }
    ? O
    : unknown
  : FromLiteral<S>;

/**
 * The value that a handler receives: the validated arguments; without a schema, no members. An object of schemas
 * has a separate error: its handler should not cause more.
 */
export type GivenBy<S> = S extends Schema
  ? [ShapeKeys<S>] extends [never]
    ? InferOutput<S>
    : { [K in ShapeKeys<S>]: InferOutput<S[K & keyof S]> }
  : { readonly [key: string]: never };

/** The owner of a schema, for error texts, and its direction: input or output. */
export interface SchemaUse {
  /** For example `tool "forecast" input`. */
  readonly owner: string;
  /** An input's root must be an object; an output may be any value. */
  readonly direction: 'input' | 'output';
  /** Validates plain schemas. Default: they are compiled, or interpreted if compiling is not safe. */
  readonly validator?: Validator | undefined;
  /** The limit of a schema library's work for one value. */
  readonly bounds?: LibraryBounds | undefined;
}

/** A checked schema, ready to be listed and to validate. */
export interface CompiledSchema {
  /** The JSON Schema to list. References are inlined unless they are recursive; plain JSON Schema is otherwise unchanged. */
  readonly json: SchemaObject;
  /**
   * Checks a value. A Standard Schema may change it (defaults, conversions); plain JSON Schema never does. Returns a promise
   * only before the checking code is loaded (the validator of a plain schema; the limiter of large values for a
   * library), and for a library's asynchronous checks.
   */
  validate(value: unknown): Outcome | Promise<Outcome>;
  /** Loads and compiles the validator now instead of at first use; rejects with TypeError if the schema is broken. */
  prepare(): Promise<void>;
}

/**
 * Checks a schema and returns its validator; undefined without a schema.
 *
 * @throws TypeError if this package cannot list and enforce the schema; the message names the owner and the fix.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#json-schema-usage
 */
export function compileSchema(schema: Schema, use: SchemaUse): CompiledSchema;
export function compileSchema(schema: Schema | undefined, use: SchemaUse): CompiledSchema | undefined;
export function compileSchema(schema: Schema | undefined, use: SchemaUse): CompiledSchema | undefined {
  if (schema === undefined) return undefined;
  return isStandardSchema(schema) ? compileStandard(schema, use) : compilePlain(schema, use);
}

function compileStandard(schema: StandardSchema, use: SchemaUse): CompiledSchema {
  const written = standardJson(schema, use);
  const dialect = dialectOf(written, use.owner);
  checkSchema(written, { owner: use.owner, dialect });
  const inlined = inlineReferences(written, dialect);
  const json = use.direction === 'input' ? objectRoot(inlined, use.owner) : inlined;
  const standard = schema['~standard'];
  const check = (value: unknown): Outcome | Promise<Outcome> => {
    try {
      const result = standard.validate(value);
      return result instanceof Promise ? result.then(toOutcome, brokenOff) : toOutcome(result);
    } catch (error) {
      return brokenOff(error);
    }
  };
  const always = isSlow(json, standard.vendor);
  let guard: Guard | undefined;
  let loading: Promise<Guard> | undefined;
  const prepare = (): Promise<Guard> => {
    loading ??= loadGuard(schema, json, use).then((loaded) => {
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

/** Returns the error for a value that would need too much work of a library; undefined for every other value. */
type Guard = (value: unknown) => Outcome | undefined;

async function loadGuard(
  schema: StandardSchema,
  json: SchemaObject,
  { owner, bounds = defaultLibraryBounds, direction }: SchemaUse,
): Promise<Guard> {
  const { libraryGuard } = await import('@tenon/json-schema/interpreter');
  const foreign = direction === 'input';
  const accepted = foreign ? json : acceptedJson(schema);
  const dialect = dialectOf(json, owner);
  const slow = isSlow(json, schema['~standard'].vendor);
  const guard = libraryGuard({ json, accepted, slow, dialect, bounds, foreign, mostIssues: maxIssues });
  return (value) => {
    const issues = guard(value);
    return issues && { ok: false, issues: issues.map(({ path, message }) => issue(path, message)) };
  };
}

function compilePlain(schema: unknown, { owner, direction, validator }: SchemaUse): CompiledSchema {
  const plain = plainSchema(schema, owner);
  const dialect = dialectOf(plain, owner);
  checkSchema(plain, { owner, dialect });
  const json = inlineReferences(plain, dialect);
  if (direction === 'input') requireObjectRoot(json, owner);
  const use: CheckUse = { dialect, mostIssues: maxIssues };
  let check: Check | undefined;
  let loading: Promise<Check> | undefined;
  const make = (): Check | Promise<Check> => {
    if (loading !== undefined) return loading;
    try {
      const made = validator === undefined ? loadCheck(plain, use) : validator.compile(plain, use);
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

/** Ajv in Node, the interpreter in bundles: `imports` in package.json selects `#validator`. */
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
