import type { Shape, ShapeIssue, StandardShape, UnknownObject } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';

/** A value that passed its shape, or the problem of one that did not. */
export type Shaped =
  | { readonly value: UnknownObject; readonly problem?: undefined }
  | { readonly problem: string };

/** Checks values by one shape. Plain JSON Schema is interpreted, and the interpreter loads with the first value. */
export type ShapeCheck = (value: unknown) => Promise<Shaped>;

/** @param shape - undefined accepts any object. */
export function shapeCheck(shape: Shape | undefined): ShapeCheck {
  if (shape === undefined) return async (value) => asObject(value);
  if (isStandard(shape)) return async (value) => byLibrary(shape, value);
  let inspect: ((value: unknown) => string | undefined) | undefined;
  return async (value) => {
    inspect ??= (await import('./output-interpreter.js')).interpret(shape as UnknownObject);
    const problem = inspect(value);
    return problem === undefined ? asObject(value) : { problem };
  };
}

async function byLibrary(shape: StandardShape, value: unknown): Promise<Shaped> {
  const outcome = await shape['~standard'].validate(value);
  return outcome.issues === undefined ? asObject(outcome.value) : { problem: describe(outcome.issues) };
}

function asObject(value: unknown): Shaped {
  return isObject(value) ? { value } : { problem: 'it is not an object' };
}

const mostIssues = 5;
const longest = 300;

function describe(issues: readonly ShapeIssue[]): string {
  const told = issues.slice(0, mostIssues).map(({ path = [], message }) => {
    const keys = path.map((part) => String(typeof part === 'object' ? part.key : part));
    return keys.length === 0 ? message : `${keys.join('.')}: ${message}`;
  });
  return told.join('; ').slice(0, longest);
}

function isStandard(shape: Shape): shape is StandardShape {
  return '~standard' in shape;
}
