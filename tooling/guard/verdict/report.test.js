import { describe, expect, it } from 'vitest';
import { profileOf } from './profile.js';
import { changesOf, remarksOf, tableOf } from './report.js';
import { verdictsOf } from './verdicts.js';

/** @typedef {import('./figures.js').Figures} Figures */

/** @type {Figures} */
const before = {
  counts: { parse: 1, calls: 4, libraryCalls: 10, allocated: 1000, kept: 0 },
  functions: { 'protocol/edge.ts readMessage': 1, 'protocol/json.ts isObject': 3 },
  packages: { 'tenon/protocol': 4, zod: 10 },
  callers: { parse: { 'transport-stdio/framing/framed-connection.ts #deliver': 1 } },
  allocators: { node: 900, 'protocol/edge.ts (in speaks)': 100 },
};

/** @param {Partial<Figures>} more */
function judged(more) {
  const figures = { ...before, ...more };
  const budgets = { node: '20.20.2', runs: { run: { ...zeros, ...before.counts } } };
  const verdicts = verdictsOf('run', figures, { budgets, node: '20.20.2' });
  const profile = { run: profileOf(before) };
  return { verdicts, remarks: remarksOf(verdicts, { figures: { run: figures }, profile }) };
}

const zeros = Object.fromEntries(
  [
    ...['stringify', 'validations', 'timers', 'turns', 'errors', 'aborts', 'collections', 'webObjects'],
    ...['promises', 'nodeCalls'],
  ].map((id) => [id, 0]),
);

describe('remarksOf', () => {
  it('returns an empty text when all counts equal the budgets', () => {
    expect(judged({}).remarks).toBe('');
  });

  it('names functions that are called more often, and gives advice', () => {
    const { remarks } = judged({
      counts: { ...before.counts, calls: 26 },
      functions: {
        'protocol/edge.ts readMessage': 2,
        'protocol/json.ts isObject': 3,
        'server/new.ts (in slow)': 21,
      },
    });
    expect(remarks).toBe(
      `run: calls of Tenon's functions: 26 per request; the budget is 4, at most 4.08.
  Called more often than before:
    server/new.ts (in slow)  0 -> 21
    protocol/edge.ts readMessage  1 -> 2

Remove the code that was added to the path of a request. If it is needed, run \`pnpm guard --update\` and give the
reason in the commit.`,
    );
  });

  it('names callers of built-ins, packages that run more, and functions that allocate', () => {
    const { remarks } = judged({
      counts: { parse: 2, calls: 4, libraryCalls: 31, allocated: 3000, kept: 0 },
      packages: { 'tenon/protocol': 9, zod: 31 },
      callers: { parse: { 'transport-stdio/framing/framed-connection.ts #deliver': 2 } },
      allocators: { node: 950, 'protocol/edge.ts (in speaks)': 2000 },
    });
    expect(remarks).toContain('    transport-stdio/framing/framed-connection.ts #deliver  1 -> 2\n');
    expect(remarks).toContain('    zod  10 -> 31\n');
    expect(remarks).toContain('    protocol/edge.ts (in speaks)  100 -> 2000\n');
    expect(remarks).not.toContain('950');
    expect(remarks).not.toContain('tenon/');
  });

  it('mentions lower counts without failing', () => {
    const { remarks, verdicts } = judged({ counts: { ...before.counts, parse: 0 } });
    expect(remarks).toBe(
      'Lower than the budget; set the budget with `pnpm guard --update`:\n  run: JSON.parse calls 0, were 1',
    );
    expect(verdicts.some(({ verdict }) => verdict === 'over')).toBe(false);
  });
});

describe('tableOf', () => {
  it('shows the budget if it differs from the measured figure', () => {
    const { verdicts } = judged({
      counts: { parse: 2, calls: 3, libraryCalls: 10, allocated: 1000, kept: 0 },
    });
    const [, row = ''] = tableOf(verdicts).split('\n');
    expect(row).toMatch(/^run +2>1! .* 3<4 /);
  });
});

describe('changesOf', () => {
  it('lists the changes of an update', () => {
    expect(changesOf(judged({}).verdicts)).toBe('Nothing changed.');
    const { verdicts } = judged({ counts: { ...before.counts, parse: 2 } });
    expect(changesOf(verdicts)).toBe('Changed:\n  run: JSON.parse calls 1 -> 2');
  });
});
