import { boundedPattern, type Dialect, OutOfSteps } from '@tenon/json-schema';
import { firstDuplicate, inexactInteger, isMultiple } from '@tenon/json-schema/equality';
import { isSmall } from '@tenon/json-schema/structure';
import type { SchemaObject } from '@tenon/mcp-protocol';
import type { Ajv, CodeKeywordDefinition, ErrorObject, Options, SchemaValidateFunction } from 'ajv';
import { ajvIssues } from './ajv-issues.js';
import type { Check, CheckUse } from './validator.js';

/**
 * `format` is an annotation, as 2020-12 has it; defaults are not filled in, because that would write into the
 * peer's value; own properties only, so that an absent `constructor` is absent.
 */
const options: Options = {
  strict: false,
  validateFormats: false,
  ownProperties: true,
  validateSchema: false,
  logger: false,
  code: { regExp: Object.assign(bounded, { code: '' }) },
};

/** The most steps of patterns and comparisons of members in one check; the rest is proportional to the value. */
const mostSteps = 600_000;
let stepsLeft = mostSteps;

function spend(steps: number): void {
  stepsLeft -= steps;
  if (stepsLeft < 0) throw new OutOfSteps();
}

/** Compiles the schemas of one dialect. */
interface DialectCompiler {
  /** Throws if the dialect's own schema rejects a schema. */
  readonly check: (schema: SchemaObject) => void;
  readonly make: (more: Options) => Ajv;
  readonly ajv: Ajv;
}

const compilers = new Map<Dialect, Promise<DialectCompiler>>();

/** Compiled checks by dialect and text, so that a schema inside a handler is compiled once. */
const compiled = new Map<string, Check>();
const maxCompiled = 1_000;

/**
 * Returns the check of a plain JSON Schema. Loads Ajv on first use. This file is a separate chunk for programs that validate
 * plain schemas: it imports nothing from the rest of this package.
 *
 * @throws Error (as a rejection) if the schema is broken, and EvalError if code cannot be generated.
 */
export async function loadCheck(schema: SchemaObject, { dialect, mostIssues }: CheckUse): Promise<Check> {
  const compiler = await loadCompiler(dialect);
  const key = `${dialect} ${JSON.stringify(schema)}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  compiler.check(schema);
  const check = compile(compiler, schema, mostIssues);
  const [oldest] = compiled.keys();
  if (compiled.size >= maxCompiled && oldest !== undefined) compiled.delete(oldest);
  compiled.set(key, check);
  return check;
}

function loadCompiler(dialect: Dialect): Promise<DialectCompiler> {
  const known = compilers.get(dialect);
  if (known !== undefined) return known;
  const compiler = dialect === 'draft-07' ? loadDraft7() : loadDraft2020();
  compilers.set(dialect, compiler);
  return compiler;
}

async function loadDraft2020(): Promise<DialectCompiler> {
  const { _, Ajv2020 } = await import('ajv/dist/2020.js');
  return compilerOf((more) => fixed(new Ajv2020({ ...options, ...more }), exactIntegers(_)));
}

async function loadDraft7(): Promise<DialectCompiler> {
  const { _, Ajv } = await import('ajv');
  // In draft-07 members beside a `$ref` are ignored.
  return compilerOf((more) =>
    fixed(new Ajv({ ...options, ignoreKeywordsWithRef: true, ...more }), exactIntegers(_)),
  );
}

function compilerOf(make: (more: Options) => Ajv): DialectCompiler {
  const ajv = make({});
  const check = (schema: SchemaObject): void => {
    // The schema is the author's, and its own schema is checked with the same keywords.
    stepsLeft = Number.POSITIVE_INFINITY;
    if (ajv.validateSchema(schema) === true) return;
    throw new TypeError(ajv.errorsText(ajv.errors?.slice(0, 3), { dataVar: 'schema' }));
  };
  return { check, make, ajv };
}

/** Stops at the first error; only a failing value of moderate size is checked again for all its errors. */
function compile(compiler: DialectCompiler, schema: SchemaObject, mostIssues: number): Check {
  const check = compileOn(compiler, schema, {});
  let checkAll: ReturnType<Ajv['compile']> | undefined;
  return (value) => {
    stepsLeft = mostSteps;
    if (check(value)) return undefined;
    let errors: readonly ErrorObject[] | null | undefined = check.errors;
    if (isSmall(value)) {
      checkAll ??= compileOn(compiler, schema, { allErrors: true });
      if (!checkAll(value)) errors = checkAll.errors;
    }
    return ajvIssues(errors ?? [], value, mostIssues);
  };
}

/** A schema with ids has its own Ajv instance: ids are global to an instance and would clash between tools. */
function compileOn(
  compiler: DialectCompiler,
  schema: SchemaObject,
  more: Options,
): ReturnType<Ajv['compile']> {
  const isShared = more.allErrors !== true && !hasIds(schema);
  const ajv = isShared ? compiler.ajv : compiler.make({ ...more, meta: false });
  const check = ajv.compile(schema);
  ajv.removeSchema(schema);
  return check;
}

function hasIds(schema: SchemaObject): boolean {
  return JSON.stringify(schema).includes('"$id"');
}

function bounded(pattern: string): RegExp {
  const { test } = boundedPattern(pattern);
  // Ajv keeps patterns by their text.
  return { test: (text: string) => test(text, spend), toString: () => `/${pattern}/u` } as RegExp;
}

/**
 * `type` beside Ajv's own check of it: integers must be exact. It is code inside the check, not a function that the check calls.
 * @param code - Ajv's template of code.
 */
function exactIntegers(code: typeof import('ajv')._): CodeKeywordDefinition {
  return {
    keyword: 'type',
    type: 'number',
    schemaType: ['string', 'array'],
    error: { message: inexactInteger },
    code(context) {
      const schema: unknown = context.schema;
      const names: readonly unknown[] = Array.isArray(schema) ? schema : [schema];
      if (names.includes('integer') && !names.includes('number'))
        context.fail(code`Math.abs(${context.data}) > ${Number.MAX_SAFE_INTEGER}`);
    },
  };
}

/** Keywords that replace Ajv's: one compares every member with every other, one divides doubles, one accepts inexact integers. */
function fixed(ajv: Ajv, type: CodeKeywordDefinition): Ajv {
  ajv.removeKeyword('uniqueItems').removeKeyword('multipleOf').removeKeyword('type').addKeyword(type);
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    compile(wanted: boolean) {
      const validate: SchemaValidateFunction = (list: unknown[]) => {
        const equal = wanted ? firstDuplicate(list, spend) : undefined;
        if (equal === undefined) return true;
        const message = `must NOT have duplicate items (items ## ${equal[0]} and ${equal[1]} are identical)`;
        validate.errors = [{ message }];
        return false;
      };
      return validate;
    },
  });
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    compile(divisor: number) {
      const validate: SchemaValidateFunction = (value: number) => {
        if (isMultiple(value, divisor, spend)) return true;
        validate.errors = [{ message: `must be multiple of ${divisor}` }];
        return false;
      };
      return validate;
    },
  });
  return ajv;
}
