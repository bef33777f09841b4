import { dialectOf } from '@tenon/json-schema';
import { interpret } from '@tenon/json-schema/interpreter';
import type { UnknownObject } from '@tenon/json-schema/structure';
import { type LintPlace, type LintProblem, type LintRule, pointerPart } from './rule.js';
import { schemaPlaces } from './schema-places.js';
import { schemaProblem, schemasOf } from './schemas.js';

/** Values checked of one server, and of one schema; the rest is not checked. */
const mostValues = 2_000;
const mostValuesOfOne = 100;

interface Example {
  readonly schema: UnknownObject;
  readonly root: UnknownObject;
  /** The pointer of the value inside its schema. */
  readonly keyword: string;
  readonly value: unknown;
}

/** LintRule about defaults and examples. */
export const exampleRule: LintRule = {
  id: 'schema-examples',
  severity: 'error',
  about: 'Defaults and examples fit their own schema.',
  *check(subject) {
    let left = mostValues;
    for (const { place, at, schema: root } of schemasOf(subject)) {
      if (left <= 0) return;
      if (schemaProblem(root) !== undefined) continue;
      let ofThis = mostValuesOfOne;
      for (const { schema, pointer } of schemaPlaces(root).places)
        for (const example of examplesOf(schema, root)) {
          if (ofThis-- <= 0) break;
          left--;
          yield* problemsOf(example, place, `${at}${pointer}`);
        }
    }
  },
};

function* examplesOf(schema: UnknownObject, root: UnknownObject): Generator<Example> {
  if (Object.hasOwn(schema, 'default')) yield { schema, root, keyword: 'default', value: schema.default };
  if (!Array.isArray(schema.examples)) return;
  for (const [index, value] of schema.examples.entries())
    yield { schema, root, keyword: `examples/${index}`, value };
}

function* problemsOf(example: Example, place: LintPlace, at: string): Generator<LintProblem> {
  const problem = valueProblem(example);
  if (problem === undefined) return;
  const what = example.keyword === 'default' ? 'default' : 'example';
  yield {
    place,
    pointer: `${at}/${example.keyword}`,
    message: `The ${what} does not fit its own schema: ${problem}. Correct one of them.`,
  };
}

/** Returns the first problem of a value; undefined too if the check would take too long. */
function valueProblem({ schema, root, value }: Example): string | undefined {
  const { $defs, definitions } = root;
  const shared = { ...($defs !== undefined && { $defs }), ...(definitions !== undefined && { definitions }) };
  try {
    const dialect = dialectOf(root, 'schema');
    const check = interpret({ ...shared, ...schema }, { dialect, mostIssues: 1, steps: 20_000 });
    const [issue] = check(value) ?? [];
    if (issue === undefined) return undefined;
    const path = issue.path.map((key) => pointerPart(String(key))).join('');
    return path === '' ? issue.message : `${path} ${issue.message}`;
  } catch {
    return undefined;
  }
}
