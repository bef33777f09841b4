import type { SchemaObject } from '@tenon/mcp-protocol';
import type { Ajv, ErrorObject, Options } from 'ajv';
import { type AjvIssue, ajvIssues } from './ajv-issues.js';
import type { Dialect } from './dialect.js';
import { isSmall } from './size.js';

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
};

/** Gives what is wrong with a value, or nothing. */
export type Check = (value: unknown) => readonly AjvIssue[] | undefined;

/** Whose schema it is, and how many issues of one value are worth telling. */
export interface CheckUse {
  readonly owner: string;
  readonly dialect: Dialect;
  readonly mostIssues: number;
}

interface Engine {
  /** Throws for a schema that its dialect's own schema refuses. */
  readonly check: (schema: SchemaObject) => void;
  readonly make: (more: Options) => Ajv;
  readonly ajv: Ajv;
}

const engines = new Map<Dialect, Promise<Engine>>();

/** Compiled checks by dialect and text, so that a schema written inside a handler compiles once. */
const compiled = new Map<string, Check>();
const maxCompiled = 1_000;

/**
 * The check of a plain JSON Schema. Loads Ajv the first time; where code cannot be generated it says so. This file is a
 * chunk of its own, read by those who validate plain schemas: it imports nothing that the rest of the package is made of.
 *
 * @throws TypeError (as a rejection) when the schema is broken; the message names the owner.
 */
export async function loadCheck(
  schema: SchemaObject,
  { owner, dialect, mostIssues }: CheckUse,
): Promise<Check> {
  const engine = await loadEngine(dialect);
  try {
    const key = `${dialect} ${JSON.stringify(schema)}`;
    const known = compiled.get(key);
    if (known !== undefined) return known;
    engine.check(schema);
    const check = compile(engine, schema, mostIssues);
    const [oldest] = compiled.keys();
    if (compiled.size >= maxCompiled && oldest !== undefined) compiled.delete(oldest);
    compiled.set(key, check);
    return check;
  } catch (cause) {
    throw broken(cause, owner);
  }
}

function loadEngine(dialect: Dialect): Promise<Engine> {
  const known = engines.get(dialect);
  if (known !== undefined) return known;
  const engine = dialect === 'draft-07' ? loadDraft7() : loadDraft2020();
  engines.set(dialect, engine);
  return engine;
}

async function loadDraft2020(): Promise<Engine> {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  return engineOf((more) => new Ajv2020({ ...options, ...more }));
}

async function loadDraft7(): Promise<Engine> {
  const { Ajv } = await import('ajv');
  // In draft-07 nothing beside a `$ref` counts.
  return engineOf((more) => new Ajv({ ...options, ignoreKeywordsWithRef: true, ...more }));
}

function engineOf(make: (more: Options) => Ajv): Engine {
  const ajv = make({});
  const check = (schema: SchemaObject): void => {
    if (ajv.validateSchema(schema) === true) return;
    throw new TypeError(ajv.errorsText(ajv.errors?.slice(0, 3), { dataVar: 'schema' }));
  };
  return { check, make, ajv };
}

/** Stops at the first error; only a failing value of moderate size is walked again for all of its errors. */
function compile(engine: Engine, schema: SchemaObject, mostIssues: number): Check {
  const check = compileOn(engine, schema, {});
  let checkAll: ReturnType<Ajv['compile']> | undefined;
  return (value) => {
    if (check(value)) return undefined;
    let errors: readonly ErrorObject[] | null | undefined = check.errors;
    if (isSmall(value)) {
      checkAll ??= compileOn(engine, schema, { allErrors: true });
      if (!checkAll(value)) errors = checkAll.errors;
    }
    return ajvIssues(errors ?? [], value, mostIssues);
  };
}

/** A schema with ids gets an engine of its own: ids are global to an engine and would clash between tools. */
function compileOn(engine: Engine, schema: SchemaObject, more: Options): ReturnType<Ajv['compile']> {
  const isShared = more.allErrors !== true && !hasIds(schema);
  const ajv = isShared ? engine.ajv : engine.make({ ...more, meta: false });
  const check = ajv.compile(schema);
  ajv.removeSchema(schema);
  return check;
}

function hasIds(schema: SchemaObject): boolean {
  return JSON.stringify(schema).includes('"$id"');
}

function broken(cause: unknown, owner: string): TypeError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const fix =
    cause instanceof Error && cause.name === 'EvalError'
      ? 'this runtime forbids generated code, so use a Standard Schema library such as zod instead'
      : 'correct the JSON Schema';
  return new TypeError(`${owner}: the JSON Schema cannot be compiled (${reason}); ${fix}`, { cause });
}
