import { acceptedJson, type Convertible, defaultLibraryBounds, stoppedProblem } from '@tenon/json-schema';
import { isSmall, lightness, quickLibraries, type Smallness } from '@tenon/json-schema/structure';
import type { ShapeIssue, StandardShape, UnknownObject } from '@tenon/mcp-protocol';

/** The value as a schema library returns it, or its problems. */
type LibraryOutcome =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly ShapeIssue[] };

export type LibraryCheck = (value: unknown) => Promise<LibraryOutcome>;
type Guard = (value: unknown) => readonly ShapeIssue[] | undefined;

const mostIssues = 5;

/** The most parts of a value for a library without JSON Schema, which would measure its work. */
const mostUnmeasured = 100_000;

/**
 * The check of a server's values by a schema library. A value that would take too long is rejected before the library reads it,
 * as servers reject such arguments.
 */
export function libraryCheck(shape: StandardShape & Convertible): LibraryCheck {
  const check = validation(shape);
  const json = acceptedJson(shape);
  if (json === undefined) return unmeasured(check);
  const slow = !quickLibraries.has(shape['~standard'].vendor) && mayHoldItself(json);
  let guard: Promise<Guard> | undefined;
  return async (value) => {
    if (guard === undefined && !slow && isSmall(value, lightness)) return check(value);
    guard ??= loadGuard(json, slow);
    // Small values wait as well, so that notifications keep their order.
    const guarded = await guard;
    const refused = !slow && isSmall(value, lightness) ? undefined : guarded(value);
    return refused === undefined ? check(value) : { issues: refused };
  };
}

function validation({ '~standard': standard }: StandardShape): LibraryCheck {
  return async (value) => {
    try {
      return await standard.validate(value);
    } catch (error) {
      return { issues: [{ message: stoppedProblem(error) }] };
    }
  };
}

function unmeasured(check: LibraryCheck): LibraryCheck {
  const size: Smallness = { ...lightness, parts: mostUnmeasured };
  const message =
    `it has more than ${mostUnmeasured} parts, and the library of its shape gives no JSON Schema by which they could be measured; ` +
    'use a newer version of the library, or a plain JSON Schema';
  return async (value) => (isSmall(value, size) ? check(value) : { issues: [{ message }] });
}

/** True for JSON Schema in which a union may refer to itself. */
function mayHoldItself(json: UnknownObject): boolean {
  const text = JSON.stringify(json);
  return text.includes('"anyOf"') && text.includes('"$ref"');
}

async function loadGuard(json: UnknownObject, slow: boolean): Promise<Guard> {
  const { libraryGuard } = await import('@tenon/json-schema/interpreter');
  const bounds = defaultLibraryBounds;
  return libraryGuard({ json, accepted: json, slow, dialect: '2020-12', bounds, foreign: true, mostIssues });
}
