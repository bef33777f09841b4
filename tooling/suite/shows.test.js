import { beforeEach, describe, expect, it } from 'vitest';
import { shows, showsBy } from './shows.js';

/** The error of a call while vitest collects tests. */
const early = (() => {
  try {
    shows('a/b/c');
    return undefined;
  } catch (error) {
    return error;
  }
})();

/**
 * The ids recorded for a test, which its report then leaves out: no row has them.
 *
 * @param {{ meta: object }} task
 */
function taken({ meta }) {
  const { requirements } = /** @type {{ requirements?: readonly string[] }} */ (meta);
  Object.assign(meta, { requirements: [] });
  return requirements ?? [];
}

it('records the ids of all its calls in the test that runs, each once', ({ task }) => {
  shows('a/b/c', 'a/b/d');
  shows('a/b/d', 'a/b/e');
  expect(taken(task)).toEqual(['a/b/c', 'a/b/d', 'a/b/e']);
});

describe('in beforeEach', () => {
  beforeEach(() => shows('a/b/c'));

  it('counts for each test', ({ task }) => {
    shows('a/b/d');
    expect(taken(task)).toEqual(['a/b/c', 'a/b/d']);
  });
});

it.for([
  ['one', ['a/b/c']],
  ['two', ['a/b/c', 'a/b/d']],
  ['three', []],
  ['constructor', []],
  [undefined, []],
])('records the ids of the case %s', ([key, ids], { task }) => {
  showsBy(key, { one: 'a/b/c', two: ['a/b/c', 'a/b/d'] });
  expect(taken(task)).toEqual(ids);
});

it('throws outside a test', () => {
  expect(early).toEqual(new Error('shows() was called outside a test: call it in the function of a test'));
});
