import { isSmall, lightness, quickLibraries } from '@tenon/json-schema/structure';
import type { Shape, ShapeIssue, StandardShape, UnknownObject } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { Inspect } from '../calls/output-interpreter.js';
import type { LibraryCheck } from './library-check.js';

/** A value that passed its shape, or the problem of one that did not. */
export type Shaped =
  | { readonly value: UnknownObject; readonly problem?: undefined }
  | { readonly problem: string };

/** The source of a value: the work of a schema library is bounded for values of the server. */
type Source = 'server' | 'author';

/** Checks values by one shape. The code of a check is loaded with the first value. */
export type ShapeCheck = (value: unknown, source: Source) => Promise<Shaped>;

/** @param shape - undefined accepts any object. */
export function shapeCheck(shape: Shape | undefined): ShapeCheck {
  if (shape === undefined) return async (value) => asObject(value);
  return isStandard(shape) ? standardCheck(shape) : plainCheck(shape);
}

function standardCheck(shape: StandardShape): ShapeCheck {
  const { vendor, validate } = shape['~standard'];
  const isQuick = quickLibraries.has(vendor);
  let loading: Promise<LibraryCheck> | undefined;
  const bounded = async (value: unknown) => {
    loading ??= import('./library-check.js').then(({ libraryCheck }) => libraryCheck(shape));
    const check = await loading;
    return check(value);
  };
  return async (value, source) => {
    // A small value waits only for a larger one before it: notifications must not overtake each other.
    const straight = source === 'author' || (loading === undefined && isQuick && isSmall(value, lightness));
    const outcome = await (straight ? validate(value) : bounded(value));
    return outcome.issues === undefined ? asObject(outcome.value) : { problem: describe(outcome.issues) };
  };
}

function plainCheck(shape: UnknownObject): ShapeCheck {
  let inspect: Inspect | undefined;
  return async (value) => {
    inspect ??= (await import('../calls/output-interpreter.js')).interpretShape(shape);
    const problem = inspect(value);
    return problem === undefined ? asObject(value) : { problem };
  };
}

function asObject(value: unknown): Shaped {
  return isObject(value) ? { value } : { problem: 'it is not an object' };
}

const mostIssues = 5;
const longest = 300;

function describe(issues: readonly ShapeIssue[]): string {
  const described = issues.slice(0, mostIssues).map(({ path = [], message }) => {
    const keys = path.map((part) => String(typeof part === 'object' ? part.key : part));
    return keys.length === 0 ? message : `${keys.join('.')}: ${message}`;
  });
  return described.join('; ').slice(0, longest);
}

function isStandard(shape: Shape): shape is StandardShape {
  return '~standard' in shape;
}
