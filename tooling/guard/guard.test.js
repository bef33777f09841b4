// Slow paths are added on purpose, and the guard must fail.
import { beforeAll, describe, expect, it } from 'vitest';
import { measureRuns } from './guard.js';
import { runs } from './runs/runs.js';
import { profileOf } from './verdict/profile.js';
import { remarksOf } from './verdict/report.js';
import { verdictsOf } from './verdict/verdicts.js';

/** @typedef {import('./verdict/figures.js').Figures} Figures */

const id = 'http-server-stateless';
const chosen = runs.filter((run) => run.id === id);
const node = process.versions.node;

/** @param {string} [slowPath] */
async function measured(slowPath) {
  const preload = slowPath && new URL(`sabotage/preload.js?${slowPath}`, import.meta.url).href;
  const { [id]: figures } = await measureRuns(chosen, { preload });
  return /** @type {Figures} */ (figures);
}

describe('the guard', () => {
  /** @type {Figures} */
  let usual;

  beforeAll(async () => {
    usual = await measured();
  }, 30_000);

  /** @param {Figures} figures */
  function judged(figures) {
    const budgets = { node, runs: { [id]: usual.counts } };
    const verdicts = verdictsOf(id, figures, { budgets, node });
    const over = verdicts.filter(({ verdict }) => verdict === 'over').map(({ count }) => count.id);
    const profile = { [id]: profileOf(usual) };
    return { over, text: remarksOf(verdicts, { figures: { [id]: figures }, profile }) };
  }

  it('passes when the same code is measured again', async () => {
    const again = await measured();
    expect(judged(again)).toEqual({ over: [], text: '' });
    expect(again.functions).toEqual(usual.functions);
  });

  it('fails when a JSON.parse is doubled, and names its caller', async () => {
    const { over, text } = judged(await measured('parse-twice'));
    expect(over).toContain('parse');
    expect(text).toContain(`${id}: JSON.parse calls: 2 per request; the budget is 1.`);
    expect(text).toMatch(/transport-http\/\S+ \w+ {2}1 -> 2/);
    expect(text).toContain('pnpm guard --update');
  });

  it('fails when a schema library parses the envelope, and names the library', async () => {
    const { over, text } = judged(await measured('parse-envelope'));
    expect(over).toEqual(expect.arrayContaining(['validations', 'libraryCalls']));
    expect(text).toContain(`${id}: schema validations: 2 per request; the budget is 1.`);
    expect(text).toMatch(/zod v4\/core\/parse\.js .+ {2}0 -> 1/);
  });

  it('fails when a request allocates 2 kB more, and names the function', async () => {
    const { over, text } = judged(await measured('allocate'));
    expect(over).toContain('allocated');
    expect(text).toMatch(/bytes allocated: .+\n.+\n {4}transport-http\/\S+ wasteful {2}0 -> 2\d\d\d/);
  });

  it('fails when each request keeps 100 bytes, and names the function', async () => {
    const { over, text } = judged(await measured('leak'));
    expect(over).toContain('kept');
    expect(text).toMatch(/bytes kept: 1\d\d per request.+\n.+\n {4}transport-http\/\S+ remembered {2}0 -> 1/);
  });
});
