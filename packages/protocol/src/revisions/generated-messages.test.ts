import { describe, expect, test } from 'vitest';
import { instances, mutants } from '../../test/instances.js';
import { type Published, published } from '../../test/published-schemas.js';
import { type Subject, subjectsOf } from '../../test/subjects.js';
import type { Revision } from '../codec/revision.js';
import type { Problem } from '../json-rpc/check.js';
import { findRevision, revisions } from './index.js';

/** Intended differences between a check and the published schema. */
const knownDifferences: readonly {
  readonly revisions: readonly string[];
  readonly here: 'accepted' | 'refused';
  readonly path: RegExp;
  readonly change: RegExp;
  readonly reason: string;
}[] = [
  {
    revisions: ['2026-07-28', '2025-11-25', '2025-06-18'],
    here: 'accepted',
    path: /^elicitation\/create result content\.\w+$|inputResponses\.\w+\.content\.\w+$/,
    change: /^becomes 1\.5$/,
    reason: 'schema.ts says number for a form value; schema.json was generated with integer.',
  },
  {
    revisions: ['2026-07-28'],
    here: 'accepted',
    path: /apabilities\.(completions|logging|experimental\.\w+|extensions\.\w+|sampling\.(context|tools)|elicitation\.(form|url))\.|\bmetadata\./,
    change: /^becomes (null|1\.5|\[null\])$/,
    reason: 'schema.ts says number and null for JSONValue; schema.json has integer and no null.',
  },
  {
    revisions: ['2026-07-28'],
    here: 'accepted',
    path: / result (resultType|ttlMs|cacheScope)$/,
    change: /^left out$/,
    reason: 'The pages ask clients to read an absent result type as complete, and absent hints as stale.',
  },
  {
    revisions: ['2026-07-28'],
    here: 'accepted',
    path: / result ttlMs$/,
    change: /^becomes -1$/,
    reason: 'The caching page asks clients to read a negative time to live as 0.',
  },
  {
    revisions: ['2026-07-28'],
    here: 'refused',
    path: / (result|input requests) resultType$/,
    change: /^becomes "wrong"$/,
    reason: 'The overview page says that a result type the client does not know is invalid.',
  },
  {
    revisions: ['2026-07-28', '2025-11-25', '2025-06-18'],
    here: 'refused',
    path: /^elicitation\/create params requestedSchema\.properties\.\w+\.(enum|oneOf|enumNames)$/,
    change: /^becomes null$/,
    reason:
      'The check refuses null in members of other kinds of fields; a more lenient reading takes it as absent.',
  },
];

/** True if the path of a problem is at, above or inside the change. A union may report a member of another alternative. */
function related(problem: Problem, path: string, change: string): boolean {
  const parent = (at: string): string => at.slice(0, Math.max(at.lastIndexOf('.'), 0));
  // Null is read as absent after the check, which tells of the member that another alternative needs.
  const isAbsent = change === 'left out' || change === 'becomes null';
  if (isAbsent && parent(problem.path) === parent(path)) return true;

  const [short, long] = problem.path.length < path.length ? [problem.path, path] : [path, problem.path];
  return short === '' || long === short || (long.startsWith(short) && /[.[]/.test(long.charAt(short.length)));
}

interface Run {
  readonly revision: Revision;
  readonly schema: Published;
  readonly counts: { whole: number; broken: number; kept: number; known: number };
}

const met = new Set<string>();

function isKnown(
  { revision }: Run,
  at: string,
  found: { readonly here: string; readonly change: string },
): boolean {
  const known = knownDifferences.find(
    ({ revisions: ids, here, path, change }) =>
      ids.includes(revision.id) && here === found.here && path.test(at) && change.test(found.change),
  );
  if (known !== undefined) met.add(known.reason);
  return known !== undefined;
}

/** Yields the problems of the check of one subject. */
function* compare(run: Run, { name, pointer, check }: Subject): Generator<string> {
  const { schema, counts } = run;
  const words = { resultType: name.endsWith(' input requests') ? 'input_required' : 'complete' };
  for (const whole of instances(schema, pointer, words)) {
    if (!schema.accepts(pointer, whole)) yield `${name}: the generator is wrong: ${schema.why(pointer)}`;
    const problem = check(whole);
    if (problem !== undefined) yield `${name}: refused whole: ${problem.path} ${problem.message}`;
    counts.whole += 1;
    for (const { value, path, change } of mutants(whole)) {
      const accepted = schema.accepts(pointer, value);
      const found = check(value);
      counts[accepted ? 'kept' : 'broken'] += 1;
      if (!accepted && found !== undefined && !related(found, path, change)) {
        yield `${name}: ${path} ${change}: told ${found.path}`;
      }
      if (accepted === (found === undefined)) continue;
      const here = accepted ? 'refused' : 'accepted';
      if (isKnown(run, `${name} ${path}`, { here, change })) counts.known += 1;
      else
        yield `${name}: ${path} ${change}: ${here} ${found?.path ?? ''} ${found?.message ?? schema.why(pointer)}`;
    }
  }
}

describe('messages generated from the published schemas', () => {
  test.each(revisions.map(({ id }) => id))(
    '%s',
    (id) => {
      const revision = findRevision(id);
      if (revision === undefined) throw new Error('unknown revision');
      const schema = published(id);
      const run: Run = { revision, schema, counts: { whole: 0, broken: 0, kept: 0, known: 0 } };
      const wrong = subjectsOf(revision, schema).flatMap((subject) => [...compare(run, subject)]);
      const { counts } = run;
      console.info(
        `${id}: ${counts.whole} messages accepted; ${counts.broken} broken ones, ${counts.kept} changed but sound ones, ${counts.known} known differences`,
      );
      expect([...new Set(wrong)]).toEqual([]);
    },
    60_000,
  );

  test('still need every known difference', () => {
    expect([...met].sort()).toEqual(knownDifferences.map(({ reason }) => reason).sort());
  });
});
