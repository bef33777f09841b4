import { TestRunner } from 'vitest';

/**
 * Records that the running test shows requirements. Belongs at the top of the test, or in a `beforeEach` for all tests of a
 * `describe`. `pnpm requirements` reads the ids from the report.
 *
 * @param {readonly string[]} ids of rows in `tooling/requirements/rows`
 * @throws Error outside a test
 */
export function shows(...ids) {
  const test = TestRunner.getCurrentTest();
  if (test === undefined)
    throw new Error('shows() was called outside a test: call it in the function of a test');
  const before = /** @type {{ requirements?: readonly string[] }} */ (test.meta).requirements ?? [];
  Object.assign(test.meta, { requirements: [...new Set([...before, ...ids])] });
}

/**
 * Records which requirements a case of a table shows: `showsBy(revision.id, { '2026-07-28': '2026-07-28/...' })`.
 *
 * @param {unknown} key tells the case from the others
 * @param {Readonly<Record<string, string | readonly string[]>>} ids by key; a case without shows none
 * @throws Error outside a test
 */
export function showsBy(key, ids) {
  const name = String(key);
  if (Object.hasOwn(ids, name)) shows(...[ids[name] ?? []].flat());
}
